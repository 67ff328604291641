/**
 * Everything that pages know to make a browser send something, each with a name of its own as the last part of the path.
 * @param origin where it is to be sent
 * @param stunPort of a UDP socket on 127.0.0.1
 */
export const escapesPage = (origin: string, stunPort: number): string => `<!doctype html><title>hostile</title>
  <link rel="preconnect" href="${origin}">
  <link rel="dns-prefetch" href="${origin}">
  <link rel="prefetch" href="${origin}/v/prefetch">
  <link rel="prerender" href="${origin}/v/prerender">
  <link rel="preload" as="script" href="${origin}/v/preload">
  <link rel="modulepreload" href="${origin}/v/modulepreload">
  <link rel="manifest" href="${origin}/v/manifest">
  <link rel="icon" href="${origin}/v/icon">
  <link rel="stylesheet" href="${origin}/v/stylesheet">
  <style>@import url(${origin}/v/import); @font-face { font-family: f; src: url(${origin}/v/font) }
    p { font-family: f; background: url(${origin}/v/background); cursor: url(${origin}/v/cursor), auto }</style>
  <script type="speculationrules">{
    "prefetch": [{ "source": "list", "urls": ["${origin}/v/speculated"] }],
    "prerender": [{ "source": "list", "urls": ["${origin}/v/prerendered"] }] }</script>
  <p>text</p>
  <img src="${origin}/v/img" attributionsrc="${origin}/v/attribution">
  <img src="/moved"><picture><source srcset="${origin}/v/picture"><img></picture>
  <video src="${origin}/v/video" poster="${origin}/v/poster" autoplay muted></video>
  <audio src="${origin}/v/audio" preload="auto"></audio>
  <svg><image href="${origin}/v/svg-image"/><use href="${origin}/v/svg-use#a"/></svg>
  <object data="${origin}/v/object"></object><embed src="${origin}/v/embed">
  <iframe src="${origin}/v/iframe"></iframe>
  <iframe src="file:///etc/passwd"></iframe><iframe src="view-source:${origin}/v/source"></iframe>
  <iframe srcdoc='<meta http-equiv=refresh content="0;url=${origin}/v/refresh">'></iframe>
  <iframe name="inner"></iframe>
  <form id="form" method="post" target="inner" action="${origin}/v/form"><input name="a" value="b"></form>
  <a id="ping" href="#here" ping="${origin}/v/ping">ping</a>
  <a id="download" href="${origin}/v/download" target="_blank" download>download</a>
  <script>
    const attempt = (act) => { try { Promise.resolve(act()).catch(() => {}); } catch {} };
    const socketOrigin = '${origin}'.replace(/^http/, 'ws');
    const deeds = [
      () => fetch('${origin}/v/fetch', { mode: 'no-cors' }),
      () => fetch('${origin}/v/keepalive', { mode: 'no-cors', method: 'POST', body: 'x', keepalive: true }),
      () => fetchLater('${origin}/v/later', { activateAfter: 0 }),
      () => fetch('file:///etc/passwd').then((answer) => answer.text()).then((text) => console.log(text)),
      () => { const request = new XMLHttpRequest(); request.open('GET', '${origin}/v/xhr'); request.send(); },
      () => navigator.sendBeacon('${origin}/v/beacon', 'x'),
      () => new EventSource('${origin}/v/events'),
      () => new WebSocket(socketOrigin + '/v/socket'),
      () => new WebTransport('${origin}/v/transport').ready,
      () => document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: '${origin}/v/module' })),
      () => new Worker(URL.createObjectURL(new Blob(["importScripts('${origin}/v/worker')"]))),
      () => new SharedWorker(URL.createObjectURL(new Blob(["fetch('${origin}/v/shared-worker')"]))),
      () => navigator.serviceWorker.register('/service.js').then(({ active, installing }) =>
        (active ?? installing).postMessage('${origin}/v/service-worker')),
      () => open('${origin}/v/popup'),
      () => open('file:///etc/passwd'),
      () => open('view-source:${origin}/v/popup-source'),
      () => document.getElementById('form').submit(),
      () => document.getElementById('ping').click(),
      () => document.getElementById('download').click(),
      () => {
        const peer = new RTCPeerConnection({ iceServers: [
          { urls: 'stun:127.0.0.1:${stunPort}' }, { urls: 'turn:127.0.0.1:${stunPort}', username: 'u', credential: 'p' },
          { urls: 'turn:' + new URL('${origin}').host + '?transport=tcp', username: 'u', credential: 'p' } ] });
        peer.createDataChannel('x');
        return peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      },
    ];
    for (const deed of deeds) attempt(deed);
  </script>`;

/** Fields by which an answer itself makes a browser send something. */
export const escapeHeaders = (origin: string): Record<string, string> => ({
  'alt-svc': `h2="${new URL(origin).host}"; ma=60, h3="${new URL(origin).host}"; ma=60`,
  'content-security-policy-report-only': `img-src 'none'; report-uri ${origin}/v/csp-report; report-to other`,
  link: `<${origin}>; rel=preconnect, <${origin}/v/link-header>; rel=preload; as=script`,
  nel: '{"report_to":"other","max_age":60,"success_fraction":1}',
  'report-to': `{"group":"other","max_age":60,"endpoints":[{"url":"${origin}/v/reports"}]}`,
  'reporting-endpoints': `other="${origin}/v/reporting"`,
  'speculation-rules': `"${origin}/v/rules"`,
});

/** Pages that lead the tab itself away. */
export const departures: Record<string, (origin: string) => { headers?: Record<string, string>; body: string }> = {
  'an assigned location': (origin) => ({ body: `<script>location = '${origin}/v/location'</script>` }),
  'a refresh': (origin) => ({ body: `<meta http-equiv="refresh" content="0;url=${origin}/v/meta">` }),
  'a refresh in the head': (origin) => ({ headers: { refresh: `0;url=${origin}/v/header` }, body: 'x' }),
  'a form': (origin) => ({
    body: `<form method="post" action="${origin}/v/posted"></form><script>document.forms[0].submit()</script>`,
  }),
  'a file': () => ({ body: "<script>location = 'file:///etc/passwd'</script>" }),
  'a source view': (origin) => ({ body: `<script>location = 'view-source:${origin}/v/viewed'</script>` }),
  'a data page': (origin) => ({ body: `<iframe src="data:text/html,<img src=${origin}/v/data>"></iframe>` }),
};
