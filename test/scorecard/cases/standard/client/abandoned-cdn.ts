import { loadingCases } from '../../../sites/foreign-files.ts';

export const cases = loadingCases([
  {
    name: 'polyfills of a service that was sold',
    vulnerable: '<script src="https://cdn.polyfill.io/v3/polyfill.min.js?features=IntersectionObserver"></script>',
    patched: '<script src="/js/own.js"></script>',
  },
  {
    name: 'styles and a module of services that ended or were taken over',
    vulnerable: '<link rel=stylesheet href=//cdn.bootcss.com/animate.css/3.5.2/animate.css>',
    patched: '<link rel=stylesheet href=//cdn.jsdelivr.net/npm/animate.css@4.1.1/animate.css>',
  },
  {
    name: 'widget of a company whose domain ran out',
    vulnerable: '<script async src="https://widget.bright-reviews-2019.com/embed.js"></script>',
    patched: '<script async src="https://js.stripe.com/v3/"></script>',
  },
]);
