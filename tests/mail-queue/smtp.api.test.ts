import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Email } from '../../api/platform/mail-queue/messages.ts';
import { NotSent } from '../../api/platform/mail-queue/sender.ts';
import { smtpSender } from '../../api/platform/mail-queue/smtp.ts';

interface Received {
  recipients: string[];
  raw: Buffer;
}

const received: Received[] = [];
/** How the server rejects the next recipient, sender or email. */
let refusal: { at: 'recipient' | 'message' | 'sender'; code: number } | null = null;
let server: SMTPServer;
let url: string;

const refuse = (at: string): Error | null =>
  refusal?.at === at
    ? Object.assign(new Error('as the server words it'), { responseCode: refusal.code })
    : null;

/** @throws the server's rejection of the email */
async function take(stream: Readable, recipients: string[]): Promise<null> {
  const raw = await buffer(stream);
  const refused = refuse('message');
  if (refused) throw refused;
  received.push({ recipients, raw });
  return null;
}

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(refuse('sender')),
    onRcptTo: (_address, _session, done) => done(refuse('recipient')),
    onData(stream, { envelope }, done) {
      void take(
        stream,
        envelope.rcptTo.map(({ address }) => address),
      ).then(done, done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  const closed = once(server.server, 'close');
  server.close();
  await closed;
});
beforeEach(() => {
  received.length = 0;
  refusal = null;
});

const email: Email = {
  channel: 'email',
  to: 'kim@example.com',
  subject: 'You’re invited',
  text: 'Come with us',
  html: '<p>Come with us</p>',
  unsubscribe_url: 'https://walks.example/api/unsubscribe/abc',
  unsolicited: true,
};
const sender = () => smtpSender({ url, from: 'Leashwise <walks@mail.example>' });
async function sent(changes: Partial<Email> = {}, key = 'referrals 1') {
  await sender().send({ ...email, ...changes }, key);
  const last = received.at(-1);
  if (!last) throw new Error('nothing came');
  return { ...last, mail: await PostalMime.parse(last.raw) };
}
const trouble = async (attempt: Promise<unknown>) => {
  const error = await attempt.then(
    (answer) => answer,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof NotSent)) throw new Error(`not refused: ${String(error)}`);
  return { code: error.code, isFinal: error.isFinal };
};

test('an email arrives as text and HTML, with unsubscribe headers', async () => {
  const { mail, recipients } = await sent({ subject: 'Zoë & Rex 🐕' });
  expect(recipients).toEqual(['kim@example.com']);
  expect(mail).toMatchObject({
    subject: 'Zoë & Rex 🐕',
    from: { name: 'Leashwise', address: 'walks@mail.example' },
    to: [{ address: 'kim@example.com' }],
  });
  expect(mail.text?.trim()).toBe('Come with us');
  expect(mail.html?.trim()).toBe('<p>Come with us</p>');
  const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
  expect(headers.get('list-unsubscribe')).toBe('<https://walks.example/api/unsubscribe/abc>');
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
});

test('a repeated email has the same Message-ID, and another email has another one', async () => {
  const { mail: first } = await sent();
  const { mail: repeat } = await sent();
  const { mail: other } = await sent({}, 'referrals 2');
  expect(first.messageId).toMatch(/^<[\da-f]{32}@mail\.example>$/);
  expect(repeat.messageId).toBe(first.messageId);
  expect(other.messageId).not.toBe(first.messageId);
});

test('line breaks in a subject or an address add no header and no recipient', async () => {
  const { mail, recipients } = await sent({
    subject: 'Hello\r\nBcc: all@example.com\r\n\r\nanother letter',
    to: 'kim@example.com\r\nCc: all@example.com',
  }).catch((error: unknown) => {
    // Rejecting it is fine too.
    if (error instanceof NotSent) return { mail: null, recipients: [] };
    throw error;
  });
  expect(recipients.filter((address) => address !== 'kim@example.com')).toEqual([]);
  expect(mail?.headers.map(({ key }) => key) ?? []).not.toContain('bcc');
  const { mail: second, recipients: only } = await sent({ subject: 'Hi\r\nBcc: all@example.com' });
  expect(only).toEqual(['kim@example.com']);
  expect(second.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(second.subject).toContain('Hi');
});

test('a list of addresses in one field is not sent to several recipients', async () => {
  await sender()
    .send({ ...email, to: 'kim@example.com, all@example.com' }, 'key')
    .catch(() => null);
  expect(received.flatMap(({ recipients }) => recipients)).not.toContain('all@example.com');
});

test('does not retry after a permanent rejection of the recipient or the email', async () => {
  for (const at of ['recipient', 'message'] as const) {
    refusal = { at, code: 550 };
    expect(await trouble(sender().send(email, 'key'))).toEqual({
      code: 'smtp 550',
      isFinal: true,
    });
  }
});

test('retries after a greylisting, a rejected sender or an unreachable server', async () => {
  refusal = { at: 'recipient', code: 451 };
  expect(await trouble(sender().send(email, 'key'))).toEqual({ code: 'smtp 451', isFinal: false });
  refusal = { at: 'sender', code: 550 };
  expect(await trouble(sender().send(email, 'key'))).toEqual({ code: 'smtp 550', isFinal: false });
  const away = smtpSender({ url: 'smtp://127.0.0.1:9', from: 'walks@mail.example' });
  expect(await trouble(away.send(email, 'key'))).toMatchObject({ isFinal: false });
});

test('gives up on a server that does not respond', async () => {
  const silent: Server = createServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const patient = smtpSender({ url: `smtp://127.0.0.1:${port}`, from: 'a@mail.example' }, 200);
  expect(await trouble(patient.send(email, 'key'))).toMatchObject({ isFinal: false });
  silent.close();
});
