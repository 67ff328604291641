import { loadingCases } from '../../../sites/foreign-files.ts';

const pinned =
  'integrity="sha384-1H217gwSVyLSIfaLxHbE7dRb3v4mYCKbpQvzx0cegeju1MVsGrX5xXxAvs/HgeFs" crossorigin="anonymous"';

export const cases = loadingCases([
  {
    name: 'jQuery of its own host',
    vulnerable: '<script src="https://code.jquery.com/jquery-3.7.1.min.js"></script>',
    patched: `<script src="https://code.jquery.com/jquery-3.7.1.min.js" ${pinned}></script>`,
  },
  {
    name: 'module below a base, with a nonce',
    head: '<base href="https://cdn.jsdelivr.net/npm/">',
    vulnerable: '<script type="module" nonce="k2v8" src="lit@3.1.4/index.js"></script>',
    patched: `<script type="module" nonce="k2v8" src="lit@3.1.4/index.js" ${pinned}></script>`,
  },
  {
    name: 'old markup without quotes, and an address without scheme',
    vulnerable:
      '<SCRIPT LANGUAGE=JavaScript SRC=//ajax.googleapis.com/ajax/libs/angularjs/1.8.3/angular.min.js></SCRIPT>',
    patched: '<SCRIPT LANGUAGE=JavaScript SRC=/js/own.js></SCRIPT>',
  },
  {
    name: 'style sheet of a framework, asked for beforehand',
    vulnerable:
      '<link rel="preload stylesheet" as="style" href="https://cdn.jsdelivr.net/npm/bootstrap@5.3.3/dist/css/bootstrap.min.css">',
    patched: `<link rel="preload stylesheet" as="style" href="https://cdn.jsdelivr.net/npm/bootstrap@5.3.3/dist/css/bootstrap.min.css" ${pinned}>`,
  },
]);
