import type { IncomingMessage } from 'node:http';

/** What the pages of the client may do, in a browser that listens. */
export function pageHeaders(request: IncomingMessage): [string, string][] {
  const host = /^[\w.:[\]-]{1,255}$/.exec(request.headers.host ?? '')?.[0];
  // Some browsers do not count WebSockets of the same host as 'self'.
  const sockets = host ? ` ws://${host} wss://${host}` : '';
  return [
    [
      'content-security-policy',
      [
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",
        // Toasts and overlays place themselves with style elements and attributes.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' blob: data:",
        `connect-src 'self'${sockets}`,
        "worker-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ].join('; '),
    ],
    ['permissions-policy', 'geolocation=(self), microphone=(), camera=(), payment=(), usb=()'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    ['x-content-type-options', 'nosniff'],
    ['x-frame-options', 'DENY'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
  ];
}
