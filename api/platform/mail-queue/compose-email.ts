import { cutText } from '#shared/normalization/cut-text.ts';
import { withoutLinks } from '#shared/referrals/rules.ts';
import type { Env } from '../env.ts';
import { escapeHtml } from '../html.ts';
import type { Email } from './messages.ts';
import { unsubscribeUrl } from './unsubscribe-token.ts';

/** A paragraph of our own, text that another person wrote, a code to type, or a link to our site. */
export type EmailPart =
  | string
  | { quote: string }
  | { code: string }
  | { link: string; words: string };

export interface EmailContent {
  to: string;
  /** Our words only: nothing that another person chose speaks for us (decision 132). */
  heading: string;
  /** Defaults to the heading. */
  subject?: string;
  parts: EmailPart[];
  /** Why the recipient gets this email. */
  reason: string;
  /** The recipient did not ask for it: it has an unsubscribe link, and is not sent to people who opted out. */
  unsolicited?: boolean;
}

const SUBJECT_MAX = 120;
const NAME_MAX = 60;
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:12px;background:#6d2a6b;color:#ffffff;font-weight:600;text-decoration:none';
const QUOTE = 'margin:0 0 16px;padding:8px 16px;border-left:4px solid #d9d4c8;white-space:pre-line';

const plain = (part: EmailPart): string => {
  if (typeof part === 'string') return part;
  if ('quote' in part) return part.quote.replace(/^/gm, '> ');
  if ('code' in part) return `    ${part.code}`;
  return `${part.words}:\n${part.link}`;
};

const html = (part: EmailPart, linkStyle = BUTTON): string => {
  if (typeof part === 'string') return `<p style="white-space:pre-line">${escapeHtml(part)}</p>`;
  if ('quote' in part) return `<blockquote style="${QUOTE}">${escapeHtml(part.quote)}</blockquote>`;
  if ('code' in part)
    return `<p style="font-size:20px;font-weight:700;letter-spacing:2px">${escapeHtml(part.code)}</p>`;
  return `<p><a href="${escapeHtml(part.link)}" style="${linkStyle}">${escapeHtml(part.words)}</a></p>`;
};

/** Creates an email in our layout, as plain text and as simple HTML that says the same. */
export function createEmail(
  env: Pick<Env, 'SYNC_SECRET' | 'PUBLIC_ORIGIN' | 'mail'>,
  { to, heading, subject = heading, parts, reason, unsolicited = false }: EmailContent,
): Email {
  const unsubscribe_url = unsolicited ? unsubscribeUrl(env, to) : null;
  const footer: EmailPart[] = [
    reason,
    ...(unsubscribe_url ? [{ link: unsubscribe_url, words: 'Unsubscribe' }] : []),
    ...(env.mail.footer ? [env.mail.footer] : []),
  ];
  return {
    channel: 'email',
    to,
    subject: cutText(subject.replace(/\s+/g, ' ').trim(), SUBJECT_MAX),
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
${parts.map((part) => html(part)).join('\n')}
<div style="margin-top:32px;font-size:13px;color:#55524b">
${footer.map((part) => html(part, 'color:#55524b')).join('\n')}
</div>
</body>
</html>
`,
    unsubscribe_url,
    unsolicited,
  };
}

/** A name that others chose, to quote: one line, without links. It never stands in a heading or sentence of ours. */
export function nameInEmail(written: string): string {
  const name = cutText(withoutLinks(written).replace(/\s+/g, ' ').trim(), NAME_MAX);
  return name || 'A friend';
}
