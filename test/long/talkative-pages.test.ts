import { suite } from 'uvu';
import { talkativePages, testTalkativePages } from '../security/talkative-pages.ts';
import { testBrowsers } from '../support/browsers.ts';

const browsers = testBrowsers();
const pages = suite('a page that says too much, in all ways');
pages.after(() => browsers.close());
testTalkativePages(pages, browsers, Object.keys(talkativePages));
pages.run();
