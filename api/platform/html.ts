import { createHash } from 'node:crypto';

/** Escapes a text for HTML content and attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
:root { color-scheme: light dark; --ink: #231a20; --quiet: #5c5048; --paper: #faf4ea; --card: #fff;
  --line: #e0d3c0; --accent: #6d2a6b; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #f7f0ea; --quiet: #c6bac2; --paper: #19141a;
  --card: #241d25; --line: #443946; --accent: #ebb6e6; --on-accent: #331034; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 16px; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere; }
main { max-width: 640px; margin: 24px auto; }
article, form { background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 20px; margin: 16px 0; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 8px; }
h2 { font-size: 1.125rem; line-height: 1.25; margin: 0 0 4px; }
p { margin: 0 0 12px; }
small { color: var(--quiet); font-size: .875rem; }
pre { white-space: pre-wrap; font: inherit; margin: 12px 0 0; }
a { color: var(--accent); }
button { font: inherit; font-weight: 600; width: 100%; min-height: 48px; padding: 8px 12px; border: 0; border-radius: 12px;
  background: var(--accent); color: var(--on-accent); cursor: pointer; }
a:focus-visible, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/**
 * Pages that the API renders itself. They have no scripts, and their forms post only to our origin.
 */
export interface HtmlPages {
  /** The Content-Security-Policy to send with these pages. */
  policy: string;
  /** @param body HTML; the caller escapes it */
  page(title: string, body: string): string;
}

/** @param look CSS added to the common style */
export function htmlPages(look = ''): HtmlPages {
  const style = STYLE + look;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { policy, page: (title, body) => htmlPage(style, title, body) };
}

const htmlPage = (style: string, title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
