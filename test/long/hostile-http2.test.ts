import { suite } from 'uvu';
import { answers, meetHttp2 } from '../security/http2-answers.ts';

const hostile = suite('hostile targets that speak HTTP/2, all of them');

for (const what of Object.keys(answers))
  hostile(`with ${what} ends in time, and takes no memory`, () => meetHttp2(what));

hostile.run();
