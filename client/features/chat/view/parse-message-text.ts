import { LinkifyIt } from 'linkify-it';
import { MESSAGE_MAX } from '#shared/chat/rules.ts';
import { charactersOf } from '#shared/normalization/cut-text.ts';

/** Without a protocol, only what nobody writes by a forgotten space after a sentence: "www." or one of these endings. */
const ENDINGS = ['com', 'org', 'net', 'edu', 'gov', 'info', 'app', 'dog', 'vet', 'park'];
const WITHOUT_PROTOCOL = new RegExp(
  `^(?:www\\.|[^/?#]*\\.(?:${ENDINGS.join('|')})(?:[/?#:]|$))`,
  'iu',
);
const WWW = 'www.';
/** A name and an ending. */
const AFTER_WWW = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/u;
/** Also with a name before the host, to leave it out: 'https://bank.example@evil.example' looks like another site. */
const linkify = new LinkifyIt({ fuzzyLink: true, urlAuth: true, maxLength: MESSAGE_MAX })
  .tlds(ENDINGS, true)
  .add('ftp:', null)
  .add('//', null)
  // The library knows only some endings: whoever writes "www." means an address.
  .add(WWW, {
    validate(text, at, { re }) {
      const rest = text.slice(at);
      if (!AFTER_WWW.test(rest)) return 0;
      const host = re.get_http_validator();
      host.lastIndex = 0;
      return Math.max(0, (host.exec(`//${WWW}${rest}`)?.[0].length ?? 0) - `//${WWW}`.length);
    },
    normalize: () => {},
  });

/** With spaces, dots or hyphens between groups; not part of a longer number or word. */
const PHONE =
  /(?<![\p{L}\p{N}+./:-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{1,4}\)[ .-]?)?\d{1,5}(?:[ .-]?\d{2,5}){1,5}(?![\p{L}\p{N}/:-]|\.\d)/gu;
/** How many digits a number has: fewer are a date or a price. With a country code, it may be shorter. */
const PHONE_DIGITS = { min: 10, minWithPlus: 8, max: 15 };
/** Otherwise it is any number, such as of an order; country codes begin with a plus. */
const SEPARATED = /[ .()-]/u;
/** Such as 12.50 before more numbers. */
const PRICE = /(?:^| )\d+\.\d\d /u;
/** Such as 2026-11-28 18.30. */
const DATE = /^\d{4}[.-]\d{1,2}[.-]\d{1,2}|^\d{1,2}[.-]\d{1,2}[.-]\d{4}/u;

export interface TextSpan {
  text: string;
  /** An address of the web, an email address (`mailto:`) or a phone number (`tel:`); null for plain text. */
  href: string | null;
}

/** Splits a message into plain text and links. */
export function splitLinks(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  const addPlain = (plain: string) => {
    if (plain !== '') spans.push(...splitPhones(plain));
  };
  let end = 0;
  for (const { schema, index, lastIndex, raw, url } of linkify.match(text) ?? []) {
    const href = schema === 'mailto:' ? emailOf(url) : addressOf(schema, raw, url);
    if (!href) continue;
    addPlain(text.slice(end, index));
    spans.push({ text: text.slice(index, lastIndex), href });
    end = lastIndex;
  }
  addPlain(text.slice(end));
  return spans;
}

function splitPhones(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(PHONE)) {
    const digits = found.replaceAll(/\D/gu, '');
    const isAbroad = found.startsWith('+');
    const { min, minWithPlus, max } = PHONE_DIGITS;
    if (digits.length < (isAbroad ? minWithPlus : min) || digits.length > max) continue;
    if (!isAbroad && (!SEPARATED.test(found) || PRICE.test(found))) continue;
    if (DATE.test(found)) continue;
    if (index > end) spans.push({ text: text.slice(end, index), href: null });
    spans.push({ text: found, href: `tel:${isAbroad ? '+' : ''}${digits}` });
    end = index + found.length;
  }
  if (end < text.length) spans.push({ text: text.slice(end), href: null });
  return spans;
}

/** Whether a host's labels in other scripts (`xn--`) are written that way: with a Cyrillic а, 'аpple.com' looks like another site. */
function isWritten(hostname: string, written: string): boolean {
  const labels = written.toLowerCase().split(/[.:]/u);
  return hostname.split('.').every((label, i) => !label.startsWith('xn--') || label === labels[i]);
}

function emailOf(url: string): string | null {
  const host = url.slice(url.lastIndexOf('@') + 1);
  if (!URL.canParse(`https://${host}`)) return null;
  return isWritten(new URL(`https://${host}`).hostname, host) ? url : null;
}

function addressOf(schema: string, raw: string, url: string): string | null {
  if (schema === '' && !WITHOUT_PROTOCOL.test(raw)) return null;
  const link = schema === '' || schema === WWW ? `https://${raw}` : url;
  if (!URL.canParse(link)) return null;
  const { protocol, href, hostname, username, password } = new URL(link);
  if (username || password) return null;
  if (!isWritten(hostname, /^(?:[a-z]+:)?[/\\]*([^/\\?#]*)/iu.exec(raw)?.[1] ?? '')) return null;
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

const FEW = 6;
/** A longer text cannot consist of so few emoji. */
const FEW_UNITS = 200;
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator})/u;

/** Whether a message consists of a few emoji, which are then shown larger. */
export function isFewEmoji(text: string): boolean {
  if (text.length > FEW_UNITS) return false;
  const emoji = [...charactersOf(text)].filter((character) => character.trim() !== '');
  return emoji.length > 0 && emoji.length <= FEW && emoji.every((each) => EMOJI.test(each));
}
