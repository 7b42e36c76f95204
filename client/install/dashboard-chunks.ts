/** The chunks that the dashboard renders with; `groups` in vite.config.ts names them. */
const NAMES = /^assets\/(public|common|contracts|frame|dashboard)-[\w-]{8}\.js$/;

/**
 * Returns the page with a header that makes the browser load the dashboard's chunks together with the page's script, which
 * imports them later. For the service worker: a visitor of the landing page does not need them.
 */
export function withDashboardChunks(
  page: Response,
  files: readonly (string | { url: string })[],
): Response {
  const links = files
    .map((file) => (typeof file === 'string' ? file : file.url))
    .filter((url) => NAMES.test(url))
    .map((url) => `</${url}>; rel=modulepreload`);
  const headers = new Headers(page.headers);
  headers.append('link', links.join(', '));
  return new Response(page.body, { status: page.status, statusText: page.statusText, headers });
}
