import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Repo } from '@automerge/automerge-repo';
import { WebSocketServerAdapter } from '@automerge/automerge-repo-network-websocket';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import {
  stateDigest,
  readMarks,
  isMatch,
  writeMarks,
  encodeMatches,
} from '#shared/sync/state-digest.ts';
import { StateComparison } from '../../../client/platform/sync/connection/state-comparison.ts';
import { Adapter } from '../../sync.ts';

const head = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));

const id = fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{16,64}$/);

test('encodes and decodes digests and matches', () => {
  const mark = fc
    .tuple(id, fc.array(head, { minLength: 1, maxLength: 8 }))
    .map(([documentId, heads]) => stateDigest(documentId, heads)!);
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 40 }), (marks) => {
      expect(readMarks(writeMarks(marks))).toEqual(marks);
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (verdicts) => {
      const bytes = encodeMatches(verdicts);
      expect(verdicts.map((_, i) => isMatch(bytes, i))).toEqual(verdicts);
      expect(isMatch(bytes, 8 * bytes.length)).toBe(false);
    }),
  );
});

test('a digest depends on the document id and all heads in any order, and is null for none or many', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(id, { minLength: 2, maxLength: 2 }),
      fc.uniqueArray(head, { minLength: 2, maxLength: 8 }),
      ([one, other], heads) => {
        const mark = stateDigest(one!, heads);
        expect(stateDigest(one!, heads.toReversed())).toBe(mark);
        expect(stateDigest(one!, heads.slice(1))).not.toBe(mark);
        expect(stateDigest(other!, heads)).not.toBe(mark);
      },
    ),
  );
  expect(stateDigest('an-id', [])).toBeNull();
  expect(
    stateDigest(
      'an-id',
      Array.from({ length: 9 }, () => 'ab'.repeat(32)),
    ),
  ).toBeNull();
});

test('digests of different heads differ', () => {
  fc.assert(
    fc.property(id, head, fc.nat(95), (documentId, one, bit) => {
      const bytes = Buffer.from(one, 'hex');
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(stateDigest(documentId, [bytes.toString('hex')])).not.toBe(
        stateDigest(documentId, [one]),
      );
    }),
  );
});

test('works with the unmodified automerge-repo server without sending comparisons', async () => {
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
  const { repo } = new StateComparison(adapter, {});
  await new Promise<void>((met) => repo.networkSubsystem.once('peer', () => met()));
  const theirs = server.create({ text: 'from the server' });
  const ours = repo.create({ text: 'from here' });
  expect((await repo.find<{ text: string }>(theirs.url)).doc().text).toBe('from the server');
  expect((await server.find<{ text: string }>(ours.url)).doc().text).toBe('from here');
  expect(sent).not.toContain('compare');
  adapter.disconnect();
  sockets.close();
});
