/** A session of three digits and a random name, behind any prefix. Source: SockJS protocol 0.3.3, "Session URLs". */
const ofSockJs =
  /^(.*\/)\d{3}\/[^/.]{5,64}\/(?:xhr|xhr_send|xhr_streaming|jsonp|jsonp_send|eventsource|htmlfile|websocket)$/;
const transports = /^(?:polling|websocket|webtransport|longPolling|serverSentEvents|webSockets|foreverFrame)$/;
/** What numbers the protocol or names the connection beside a transport. Source: Engine.IO protocol 4, "URL"; ASP.NET SignalR. */
const besideTransport = ['EIO', 'connectionToken', 'id', 'sid', 'clientProtocol'];

/**
 * The address of a connection that scripts hold open by one request after the other, where WebSockets cannot be had: each waits for
 * news, or carries messages. Undefined for other addresses.
 */
export function liveConnection(text: string): string | undefined {
  const { origin, pathname, searchParams } = new URL(text);
  const prefix = ofSockJs.exec(pathname)?.[1];
  if (prefix !== undefined) return origin + prefix;
  const isTransport = transports.test(searchParams.get('transport') ?? '');
  return isTransport && besideTransport.some((name) => searchParams.has(name)) ? origin + pathname : undefined;
}
