import { type ExposedPath, inBody, notPage } from './entry.ts';

/** What a browser is given uses no server of its own; what does, and listens or has routes, is the program behind the site. */
const node = [
  '\\b(?:require\\(|from )["\'](?:node:)?(?:express|koa|fastify|restify|https?|@hapi/hapi|@koa/router|@nestjs/core)["\']',
  '\\.(?:listen|register|start)\\(',
];
const python = [
  '(?m)^(?:from|import) (?:flask|fastapi|django|starlette|aiohttp|bottle|tornado|sanic|quart|http\\.server)\\b',
  '(?m)^@\\w+\\.(?:route|get|post|api_route)\\(|\\b(?:Flask|FastAPI|Starlette|Application|Bottle|Sanic|Quart|HTTPServer)\\(|\\brun\\(|\\bexecute_from_command_line\\(',
];
const ruby = [
  '(?m)^require ["\'](?:sinatra(?:/base)?|rack|roda|webrick)["\']',
  '(?m)^\\s*(?:get|post|run|map|route)\\b',
];
const go = ['(?m)^package main\\b', '"net/http"|"github\\.com/(?:gin-gonic|labstack|gofiber|go-chi|gorilla)/'];

const source = (language: string, stack: 'node' | 'python' | 'ruby' | 'go', paths: string[], patterns: string[]) => ({
  check: 'program-source',
  paths,
  stacks: [stack],
  readings: [
    {
      holds: `the program behind the site, in ${language}`,
      claims: [...patterns.map((pattern) => inBody(pattern)), notPage],
    },
  ],
});

/** The file that starts a site of one program: it stands in the folder of the site where that folder is served as a whole. */
export const programs: readonly ExposedPath[] = [
  source('JavaScript', 'node', ['server.js', 'app.js', 'index.js', 'main.js', 'src/index.js', 'src/server.js'], node),
  source('Python', 'python', ['app.py', 'main.py', 'server.py', 'wsgi.py', 'manage.py'], python),
  source('Ruby', 'ruby', ['app.rb', 'config.ru', 'server.rb'], ruby),
  source('Go', 'go', ['main.go', 'server.go', 'cmd/main.go'], go),
];
