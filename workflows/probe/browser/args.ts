/** Whether Chromium's own sandbox is on. */
export type SandboxMode = 'sandboxed' | 'unsandboxed';

/**
 * Features that send traffic of the browser's own, start what may be needed ahead of time, or reach the network around the
 * proxy.
 */
const disabledFeatures = [
  'AsyncDns',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'DnsOverHttps',
  'EncryptedClientHello',
  'HttpsUpgrades',
  'LoadingPredictorUseOptimizationGuide',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PreconnectToSearch',
  'Prerender2',
  'SpareRendererForSitePerProcess',
  'SpeculationRulesPrefetchFuture',
  'Translate',
];

const withoutBackground = [
  '--disable-background-networking',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--no-service-autorun',
  '--safebrowsing-disable-auto-update',
];

/**
 * Our own arguments, all of them: web security stays on, or proofs would be false. Each visit brings its own proxy;
 * whatever happens outside of a visit is sent to a proxy that is not there, loopback addresses included.
 */
export function browserArgs(profileDir: string, sandbox: SandboxMode): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profileDir}`,
    '--no-startup-window',
    '--proxy-server=http://127.0.0.1:9',
    '--proxy-bypass-list=<-loopback>',
    // Names are resolved by the proxy's guard, never by the browser.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--disable-quic',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--dns-prefetch-disable',
    `--disable-features=${disabledFeatures.join(',')}`,
    ...withoutBackground,
    // The proxy answers HTTPS with a certificate of its own; the target's is looked at by the TLS instrument.
    '--ignore-certificate-errors',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-hang-monitor',
    '--disable-notifications',
    '--disable-renderer-backgrounding',
    '--disable-backgrounding-occluded-windows',
    '--deny-permission-prompts',
    '--force-color-profile=srgb',
    '--hide-scrollbars',
    '--mute-audio',
    '--password-store=basic',
    // A page that fills its heap ends itself, not the machine.
    '--js-flags=--max-old-space-size=512',
    ...(sandbox === 'unsandboxed' ? ['--no-sandbox'] : []),
  ];
}
