import { withoutLinks } from '#shared/referrals/rules.ts';
import { escapeHtml } from '../html.ts';

/** A piece of a letter: our own words, what somebody else wrote, a code to type, or a link of ours. */
export type EmailPart =
  | string
  | { quote: string }
  | { code: string }
  | { link: string; words: string };

export interface EmailSettings {
  heading: string;
  parts: EmailPart[];
  /** Small, at the end: why one gets this, and who sends it. */
  footer: EmailPart[];
}

const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:12px;background:#2340a8;color:#ffffff;font-weight:600;text-decoration:none';
const QUOTE = 'margin:0 0 16px;padding:8px 16px;border-left:4px solid #d9d4c8;white-space:pre-line';

const plain = (part: EmailPart): string => {
  if (typeof part === 'string') return part;
  if ('quote' in part) return part.quote.replace(/^/gm, '> ');
  if ('code' in part) return `    ${part.code}`;
  return `${part.words}:\n${part.link}`;
};

const html = (part: EmailPart): string => {
  if (typeof part === 'string') return `<p style="white-space:pre-line">${escapeHtml(part)}</p>`;
  if ('quote' in part) return `<blockquote style="${QUOTE}">${escapeHtml(part.quote)}</blockquote>`;
  if ('code' in part)
    return `<p style="font-size:20px;font-weight:700;letter-spacing:2px">${escapeHtml(part.code)}</p>`;
  return `<p><a href="${escapeHtml(part.link)}" style="${BUTTON}">${escapeHtml(part.words)}</a></p>`;
};

const small = (part: EmailPart): string =>
  typeof part === 'object' && 'link' in part
    ? `<p><a href="${escapeHtml(part.link)}" style="color:#55524b">${escapeHtml(part.words)}</a></p>`
    : html(part);

/** A letter for people, as plain text and as simple HTML that says the same. */
export function composeEmail({ heading, parts, footer }: EmailSettings): {
  text: string;
  html: string;
} {
  return {
    text: `${[heading, ...parts.map(plain), '-- ', ...footer.map(plain)].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no, address=no, email=no, url=no">
<title>${escapeHtml(heading)}</title>
</head>
<body style="margin:0;padding:24px;background:#ffffff;color:#191b20;font:16px/1.5 system-ui,sans-serif">
<h1 style="font-size:22px;line-height:1.25">${escapeHtml(heading)}</h1>
${parts.map(html).join('\n')}
<div style="margin-top:32px;font-size:13px;color:#55524b">
${footer.map(small).join('\n')}
</div>
</body>
</html>
`,
  };
}

const NAME_MAX = 60;

/** A person's name, as they wrote it, for a sentence of ours: one line, no link. */
export function nameInEmail(written: string): string {
  const name = withoutLinks(written).replace(/\s+/g, ' ').trim().slice(0, NAME_MAX);
  return name || 'A friend';
}

/** A subject: one line, of reasonable length. */
export const subjectLine = (words: string): string =>
  words.replace(/\s+/g, ' ').trim().slice(0, 120);
