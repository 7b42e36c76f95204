import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Repo } from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import {
  readClaims,
  readVerdict,
  stateOf,
  writeClaims,
  writeVerdicts,
} from '#shared/sync/comparison.ts';
import { Comparison } from '../../client/sync/comparison.ts';
import { Adapter } from '../sync.ts';

const head = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));

test('claims and verdicts are read as they were written', () => {
  const claim = fc.record({
    documentId: fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{16,64}$/),
    state: fc.array(head, { minLength: 1, maxLength: 8 }).map((heads) => stateOf(heads)!),
  });
  fc.assert(
    fc.property(fc.array(claim, { maxLength: 40 }), (claims) => {
      expect(readClaims(writeClaims(claims))).toEqual(claims);
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (verdicts) => {
      const bytes = writeVerdicts(verdicts);
      expect(verdicts.map((_, i) => readVerdict(bytes, i))).toEqual(verdicts);
      expect(readVerdict(bytes, 8 * bytes.length)).toBe(false);
    }),
  );
});

test('a state is named by all of its heads, in any order; none and very many name nothing', () => {
  fc.assert(
    fc.property(fc.uniqueArray(head, { minLength: 2, maxLength: 8 }), (heads) => {
      expect(stateOf(heads.toReversed())).toBe(stateOf(heads));
      expect(stateOf(heads.slice(1))).not.toBe(stateOf(heads));
    }),
  );
  expect(stateOf([])).toBeNull();
  expect(stateOf(Array.from({ length: 9 }, () => 'ab'.repeat(32)))).toBeNull();
});

test("automerge-repo's own server is asked nothing, and synchronises as ever", async () => {
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(sockets, 'listening');
  const server = new Repo({ network: [new WebSocketServerAdapter(sockets as never)] });
  const { port } = sockets.address() as AddressInfo;
  const adapter = new Adapter(`ws://127.0.0.1:${port}`);
  const sent: string[] = [];
  const send = adapter.send.bind(adapter);
  adapter.send = (message) => {
    sent.push(message.type);
    send(message);
  };
  const { repo } = new Comparison(adapter, {});
  await new Promise<void>((met) => repo.networkSubsystem.once('peer', () => met()));
  const theirs = server.create({ text: 'from the server' });
  const ours = repo.create({ text: 'from here' });
  expect((await repo.find<{ text: string }>(theirs.url)).doc().text).toBe('from the server');
  expect((await server.find<{ text: string }>(ours.url)).doc().text).toBe('from here');
  expect(sent).not.toContain('compare');
  adapter.disconnect();
  sockets.close();
});
