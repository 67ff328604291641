import { loadingCases } from '../../../sites/foreign-files.ts';

export const cases = loadingCases([
  {
    name: 'script of a counter by its old address',
    vulnerable: '<script src="http://counter.northwind.example/c.js"></script>',
    patched:
      '<script src="https://counter.northwind.example/c.js"></script><img src="http://counter.northwind.example/c.gif" alt="">',
  },
  {
    name: 'map in a frame, with a link beside it',
    vulnerable: '<iframe width=300 height=200 src=http://maps.northwind.example/embed?x=1&amp;y=2></iframe>',
    patched:
      '<iframe width=300 height=200 src=//maps.northwind.example/embed?x=1></iframe><a href="http://maps.northwind.example/">Map</a>',
  },
  {
    name: 'styles below a base that is still http',
    head: '<base href="http://static.northwind.example/">',
    vulnerable: '<link href="site.css" rel="preload stylesheet" as="style">',
    patched: '<link href="https://static.northwind.example/site.css" rel="preload stylesheet" as="style">',
  },
  {
    name: 'theme that a style in the page imports',
    vulnerable: "<style>@import 'http://static.northwind.example/theme.css';</style>",
    patched:
      "<style>@import '//static.northwind.example/theme.css'; h1 { background: url(http://static.northwind.example/a.png) }</style>",
  },
]);
