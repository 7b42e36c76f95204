import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface TwilioCall {
  path: string;
  authorization: string | undefined;
  form: Record<string, string>;
}

type Answer = (response: ServerResponse) => void;

/** Twilio's messages as its documentation shows them, on loopback; each call gets the next answer that was queued, else success. */
export async function startTwilio() {
  const calls: TwilioCall[] = [];
  const answers: Answer[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    calls.push({ path: request.url ?? '', authorization: request.headers.authorization, form });
    (answers.shift() ?? accepted)(response);
  }
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    /** Queues the responses of the next calls. */
    next: (...queued: Answer[]) => answers.push(...queued),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

const accepted = json(201, { sid: 'SM0123456789abcdef', status: 'queued', error_code: null });

/** An error response with one of Twilio's codes. */
export const refused = (status: number, code: number, headers: Record<string, string> = {}) =>
  json(status, { code, message: 'As Twilio words it', more_info: '', status }, headers);
export const malformed =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end('<html>');
  };
/** Never responds. */
export const silence: Answer = () => {};
