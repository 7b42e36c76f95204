/** What Google Pay's script loads, frames and asks beside itself; nothing of it where payments are not Google's. */
const WALLET = {
  scripts: ' https://pay.google.com',
  frames: 'https://pay.google.com',
  connections: ' https://pay.google.com https://google.com/pay https://www.google.com/pay',
  images: ' https://www.gstatic.com',
};
const NO_WALLET = { scripts: '', frames: "'none'", connections: '', images: '' };

/** What pages may load from elsewhere. */
export interface Elsewhere {
  /** Whether Google's wallet is used here. */
  googlePay: boolean;
  /** Where the map's tiles come from, as a policy names it; null where there are none. */
  tileSource: string | null;
}

/** What the pages of the client may do, in a browser that listens. @param host by which it is open */
export function pageHeaders(
  host: string | undefined,
  { googlePay, tileSource }: Elsewhere,
): [string, string][] {
  const wallet = googlePay ? WALLET : NO_WALLET;
  const tiles = tileSource === null ? '' : ` ${tileSource}`;
  const known = /^[\w.:[\]-]{1,255}$/.exec(host ?? '')?.[0];
  // Some browsers do not count WebSockets of the same host as 'self'.
  const sockets = known ? ` ws://${known} wss://${known}` : '';
  return [
    [
      'content-security-policy',
      [
        "default-src 'self'",
        `script-src 'self' 'wasm-unsafe-eval'${wallet.scripts}`,
        `frame-src ${wallet.frames}`,
        // Toasts and overlays place themselves with style elements and attributes.
        "style-src 'self' 'unsafe-inline'",
        `img-src 'self' blob: data:${tiles}${wallet.images}`,
        `connect-src 'self'${sockets}${wallet.connections}`,
        "worker-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ].join('; '),
    ],
    [
      'permissions-policy',
      `geolocation=(self), microphone=(self), camera=(), payment=(${googlePay ? 'self "https://pay.google.com"' : ''}), usb=()`,
    ],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    // Where the browser has no payment sheet of its own, the wallet's is a window that talks back.
    ['cross-origin-opener-policy', googlePay ? 'same-origin-allow-popups' : 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
  ];
}
