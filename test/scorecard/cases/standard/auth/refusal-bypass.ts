import type { ScoreCase } from '../../../case.ts';
import { startRefusing } from '../../../sites/refusing.ts';

export const cases: ScoreCase[] = [
  {
    name: 'guard that compares paths as text before a router that does not',
    start: (variant) =>
      startRefusing({
        isAllowed: () => variant === 'vulnerable',
        before: (app) =>
          app.use((request, response, next) =>
            request.path.startsWith('/admin') ? response.status(403).send('Forbidden') : next(),
          ),
      }),
  },
  {
    name: 'page for the machine itself, by a header that anybody sends',
    start: (variant) =>
      startRefusing({
        isAllowed: (request) => variant === 'vulnerable' && request.get('x-forwarded-for') === '127.0.0.1',
      }),
  },
  {
    name: 'program that takes its address from a header, behind a guard',
    start: (variant) =>
      startRefusing({
        isAllowed: () => true,
        before: (app) =>
          app.use((request, response, next) => {
            if (/^\/+admin/i.test(decodeURIComponent(request.path).replace(/\/\.?(?=\/)/g, '')))
              return response.status(403).send('Forbidden');
            if (variant === 'vulnerable') request.url = request.get('x-rewrite-url') ?? request.url;
            return next();
          }),
      }),
  },
];
