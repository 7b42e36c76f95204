import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { events } from '#shared/events/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { spread } from '../../bench/location/crowd.ts';
import { upTo } from '../../bench/location/fill.ts';
import { cookieOf, seedOurs } from '../../bench/location/ours.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { URI_FILE } from '../../scripts/stack/data-dir.ts';
import { startTestStack } from '../stack.ts';

/** Each sends two requests. */
const OWNERS = 1_125;
const PATIENCE_MS = 150_000;

/** Sends a request on a connection of its own. @returns its status, as soon as it is known, or why there is none */
function send(
  origin: string,
  owner: number,
  path: string,
  body?: object,
): Promise<number | string> {
  const text = body && JSON.stringify(body);
  return new Promise((resolve) => {
    const sent = request(`${origin}${path}`, {
      agent,
      method: text ? 'POST' : 'GET',
      headers: {
        cookie: cookieOf(owner),
        ...(text && { 'content-type': 'application/json', 'content-length': text.length }),
      },
    });
    sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error('no answer')));
    sent.on('error', ({ message }) => resolve(message));
    sent.on('response', (response) => {
      resolve(response.statusCode!);
      response.resume().on('error', () => {});
    });
    sent.end(text);
  });
}
const agent = new Agent({ keepAlive: false });

test('everybody sets out at once on a product that has just started, and nobody is refused', async () => {
  const stack = await startTestStack();
  onTestFinished(() => stack.stop());
  const uri = (await readFile(join(stack.dataDir, URI_FILE), 'utf8')).trim();
  const client = await MongoClient.connect(uri, { ignoreUndefined: true });
  onTestFinished(() => client.close());
  const crowd = { ...spread(OWNERS), reporters: [...upTo(OWNERS)] };
  await seedOurs(client.db('leashwise'), crowd);
  onTestFinished(() => agent.destroy());
  const all = crowd.reporters.flatMap((owner) => [
    send(stack.origin, owner, pathOf(events)),
    send(stack.origin, owner, pathOf(reportLocation), crowd.place(owner)),
  ]);
  const answers = new Map<number | string, number>();
  for (const answer of await Promise.all(all)) answers.set(answer, (answers.get(answer) ?? 0) + 1);
  expect(Object.fromEntries(answers)).toEqual({ 200: 2 * OWNERS });
}, 300_000);
