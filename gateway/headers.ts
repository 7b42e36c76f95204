/** The origins that the scripts of Google Pay and of Stripe's form use, as both document them (decision 80). */
const WALLET = {
  scripts: ' https://pay.google.com https://js.stripe.com https://*.js.stripe.com',
  frames:
    'https://pay.google.com https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connections:
    ' https://pay.google.com https://google.com/pay https://www.google.com/pay https://api.stripe.com',
  images: ' https://www.gstatic.com',
};
const NO_WALLET = { scripts: '', frames: "'none'", connections: '', images: '' };

/** Other origins that pages may load from. */
export interface ExternalSources {
  /** Whether payments use Google Pay. */
  googlePay: boolean;
  /** The origin of the map tiles, as a content security policy names it; null if there are none. */
  tileSource: string | null;
}

/** Returns the security headers of the client's pages. @param host the request's `Host` */
export function pageHeaders(
  host: string | undefined,
  { googlePay, tileSource }: ExternalSources,
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
        // Toasts and overlays use style elements and attributes for their position.
        "style-src 'self' 'unsafe-inline'",
        `img-src 'self' blob: data:${tiles}${wallet.images}`,
        // Voice notes are played from memory: Safari would ask for parts of a file.
        "media-src 'self' blob:",
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
      `geolocation=(self), microphone=(self), camera=(self), payment=(${googlePay ? 'self "https://pay.google.com" "https://js.stripe.com"' : ''}), usb=()`,
    ],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    // Browsers without a payment sheet open Google Pay in a window, which sends messages to its opener.
    ['cross-origin-opener-policy', googlePay ? 'same-origin-allow-popups' : 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
  ];
}
