/** The chunks that the dashboard renders with; `groups` in scripts/build/client-chunks.ts names them. */
const CHUNK = /^assets\/(public|packages|common|contracts|frame|dashboard)-[\w-]{8}\.js$/;
/** Without it, the first text is laid out in a fallback, which the browser must find among the device's fonts. */
const FONT = /^assets\/figtree-latin-wght-normal-[\w-]{8}\.woff2$/;

/**
 * Returns the page with a header that makes the browser load the dashboard's chunks and font together with the page's script,
 * which needs them later. For the service worker: a visitor of the landing page does not need them.
 */
export function withDashboardChunks(
  page: Response,
  files: readonly (string | { url: string })[],
): Response {
  const links = files.flatMap((file) => {
    const url = typeof file === 'string' ? file : file.url;
    if (FONT.test(url)) return [`</${url}>; rel=preload; as=font; crossorigin`];
    return CHUNK.test(url) ? [`</${url}>; rel=modulepreload`] : [];
  });
  const headers = new Headers(page.headers);
  headers.append('link', links.join(', '));
  return new Response(page.body, { status: page.status, statusText: page.statusText, headers });
}
