import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { next as A } from '@automerge/automerge';
import { Encoder } from 'cbor-x';
import * as fc from 'fast-check';
import { WebSocket } from 'ws';
import type { AccountDocument } from '#shared/account/document.ts';
import { newId } from '#shared/ids.ts';
import { signInMember, type Visitor } from '../../scripts/session/api-session.ts';
import { NODES_FILE, type NodeEntry } from '../../scripts/stack/nodes-file.ts';
import { chunkOf, chunkParts, madeUpId, RawDevice } from '../../tests/sync/raw-device.ts';
import { HOSTILE } from './arbitrary-inputs.ts';
import { Failures, type CheckSettings, type Outcome } from './check-settings.ts';
import {
  EXCESSES,
  excessIn,
  excessiveChanges,
  WRITTEN,
  type Written,
  type WrittenDocument,
} from './excessive-changes.ts';
import { LineCoverage } from './line-coverage.ts';

const CONCURRENT = 6;
const STEPS_MAX = 12;
/** An honest device waits at most this long for an acknowledgement, on a busy machine. */
const HONEST_MS = 20_000;
/** How long an attacker may be over the rate limit. */
const BOUNDS_MS = 180_000;
/** A server that keeps a session of garbage open has to answer or close within this time after the last frame. */
const SETTLE_MS = 200;

/** CBOR for an array with one element. */
const ARRAY_OF_ONE = 0x81;

const encoder = new Encoder({ tagUint8Array: false, useRecords: false });
const TYPES = [
  'join',
  'peer',
  'request',
  'sync',
  'ephemeral',
  'leave',
  'doc-unavailable',
  'error',
  'remote-subscription-change',
  'remote-heads-changed',
] as const;

/** One frame of a session, before it is damaged. */
interface Step {
  type: string;
  /** Which document it is about: the attacker's own, someone else's, or one that does not exist. */
  about: number;
  data: 'nothing' | 'request' | 'change' | 'document' | 'excess' | 'bytes';
  bytes: Uint8Array;
  /** How the changes of `excess` exceed the limits of their document. */
  excess: (typeof EXCESSES)[number];
  size: number;
  /** Fields that replace or add to those of the message. */
  fields: Record<string, unknown>;
  /** Where the frame is damaged, as shares of its length. */
  flips: number[];
  cut: number;
  /** Whether the frame is nothing but arrays in arrays. */
  isDeep: boolean;
}

/** The deepest value cannot be encoded; `isDeep` stands for it. */
const hostile = fc.constantFrom(...HOSTILE.slice(0, -1));
const step: fc.Arbitrary<Step> = fc.record({
  type: fc.constantFrom(...TYPES),
  about: fc.nat(2),
  data: fc.constantFrom('nothing', 'request', 'change', 'document', 'excess', 'bytes'),
  bytes: fc.uint8Array({ maxLength: 300 }),
  excess: fc.constantFrom(...EXCESSES),
  size: fc.double({ min: 0, max: 1, noNaN: true }),
  fields: fc.oneof(
    { arbitrary: fc.constant({}), weight: 3 },
    {
      arbitrary: fc.dictionary(
        fc.constantFrom(
          'type',
          'senderId',
          'targetId',
          'documentId',
          'data',
          'peerMetadata',
          'supportedProtocolVersions',
          'sessionId',
          'count',
          'add',
          'remove',
          'newHeads',
        ),
        fc.oneof(hostile, fc.uint8Array({ maxLength: 50 })),
        { maxKeys: 3 },
      ),
      weight: 2,
    },
  ),
  flips: fc.oneof(
    fc.constant<number[]>([]),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
  ),
  isDeep: fc.nat(30).map((n) => n === 0),
  cut: fc.oneof(fc.constant(1), fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});
interface Session {
  /** Which of the attacker's documents it is about. */
  own: Written;
  steps: Step[];
  isJoined: boolean;
}
const session: fc.Arbitrary<Session> = fc.record({
  own: fc.constantFrom(...(Object.keys(WRITTEN) as Written[])),
  steps: fc.array(step, { minLength: 1, maxLength: STEPS_MAX }),
  isJoined: fc.oneof(fc.constant(true), fc.constant(true), fc.boolean()),
});

/** How a session is made from one that reached new lines: up to a step it is repeated, then another one follows. */
const continued = fc.record({
  isNew: fc.boolean(),
  from: fc.nat(),
  at: fc.integer({ min: 1, max: STEPS_MAX }),
});

/** What damaged frames can reach in the sync server. */
const onTheWire = (source: string): boolean =>
  /sync-server\/(core\/(access|documents|protocol)|wire)\//.test(source);

async function openCoverage({
  dataDir,
  inspectorPort,
}: Pick<CheckSettings, 'dataDir' | 'inspectorPort'>): Promise<LineCoverage> {
  const nodes = JSON.parse(await readFile(join(dataDir, NODES_FILE), 'utf8')) as NodeEntry[];
  const { pid } = nodes.find(({ role }) => role === 'sync-server')!;
  const program = new URL('../../dist/servers/sync-server.js', import.meta.url);
  return LineCoverage.open({ pid: pid!, port: inspectorPort }, program, onTheWire);
}

/**
 * Sends damaged frames in any order on the sync wire, as a member, while an honest device of another member keeps writing. Sessions that
 * reach new lines of the sync server are continued in other ways. Fails if a change of the honest device is not acknowledged, or its
 * document changed otherwise.
 */
export async function fuzzSync({
  origin,
  budgetMs,
  seed,
  interrupted,
  ...product
}: CheckSettings): Promise<Outcome> {
  const failures = new Failures();
  const coverage = await openCoverage(product);
  /** Sessions that reached new lines. */
  const corpus: Session[] = [];
  const [attacker, victim] = await Promise.all([member(origin), member(origin)]);
  const end = performance.now() + budgetMs;
  const isOver = () => performance.now() > end || interrupted.aborted;
  const closings = new Map<number, number>();
  let frames = 0;
  let refused = 0;
  let sessions = 0;

  function nextSession(): Session {
    const [fresh] = fc.sample(session, { numRuns: 1, seed: seed + sessions });
    const [{ isNew, from, at } = { isNew: true, from: 0, at: 0 }] = fc.sample(continued, {
      numRuns: 1,
      seed: seed + sessions,
    });
    sessions++;
    const base = corpus[from % corpus.length];
    if (isNew || !base) return fresh!;
    return { ...base, steps: [...base.steps.slice(0, at), ...fresh!.steps].slice(0, STEPS_MAX) };
  }

  const documentOf = (own: Written) => attacker.user.documents[own].replace('automerge:', '');

  async function attack(): Promise<void> {
    const theirs = victim.user.documents.account.replace('automerge:', '');
    while (!isOver()) {
      const plan = nextSession();
      const socket = socketOf(origin, attacker);
      const device = new RawDevice(socket, `fuzz-${sessions}`);
      // It rejects if the server refuses the connection.
      device.closed.catch(() => {});
      try {
        await once(socket, 'open');
        const mine = documentOf(plan.own);
        let doc = A.init<WrittenDocument>();
        if (plan.isJoined) {
          await device.join();
          doc = await device.read<WrittenDocument>(mine);
        }
        for (const each of plan.steps) {
          if (socket.readyState !== socket.OPEN) break;
          device.sendBytes(
            frameOf(each, [mine, theirs, madeUpId()][each.about]!, device.peerId, doc, plan.own),
          );
          frames++;
        }
        const code = await Promise.race([device.closed, wait(SETTLE_MS, 0)]);
        refused += device.answers.filter((answer) => answer.type === 'refused').length;
        closings.set(code, (closings.get(code) ?? 0) + 1);
        if (code === 1006 || code === 1011)
          failures.add(`a session ended with ${code}`, JSON.stringify(plan));
        if ((await coverage.update()) > 0) corpus.push(plan);
      } catch (error) {
        // The server limits how often somebody may connect, and closes what it does not understand.
        closings.set(-1, (closings.get(-1) ?? 0) + 1);
        await wait(100);
        if (error instanceof RangeError || error instanceof TypeError) throw error;
      } finally {
        device.close();
      }
    }
  }

  /** Whatever was sent, the stored document is within its limits. */
  async function checkBounds(own: Written): Promise<void> {
    const id = documentOf(own);
    // The attacker has exceeded the rate limit by then.
    const last = performance.now() + BOUNDS_MS;
    for (;;) {
      const device = new RawDevice(socketOf(origin, attacker));
      device.closed.catch(() => {});
      const reading = device.join().then(() => device.read(id));
      const doc = await Promise.race([reading.catch(() => null), wait(HONEST_MS, null)]);
      device.close();
      const excess = doc && excessIn(doc, own);
      if (excess) failures.add('a stored document exceeds its limits', excess);
      if (doc) return;
      if (performance.now() > last)
        return failures.add('the document of the attacker cannot be read', id);
      await wait(SETTLE_MS);
    }
  }

  let edits = 0;
  async function write(): Promise<void> {
    const id = victim.user.documents.account.replace('automerge:', '');
    let device = await new RawDevice(socketOf(origin, victim)).join();
    let doc = await device.read<AccountDocument>(id);
    while (!isOver()) {
      doc = A.change(doc, (draft) => void (draft.settings[`fuzz-${edits % 50}`] = edits));
      const isStored = await Promise.race([
        device.keep(id, doc).then(
          () => true,
          () => false,
        ),
        wait(HONEST_MS, false),
      ]);
      if (isStored) edits++;
      else failures.add('a change of an honest device was not acknowledged', `change ${edits}`);
      device.answers.length = 0;
      await wait(50);
    }
    device.close();
    device = await new RawDevice(socketOf(origin, victim)).join();
    const stored = await device.read<AccountDocument>(id);
    if (!isDeepStrictEqual(stored.settings, doc.settings))
      failures.add('the document of an honest device differs', id);
    device.close();
  }

  await Promise.all([write(), ...Array.from({ length: CONCURRENT }, attack)]).finally(() =>
    coverage.close(),
  );
  for (const own of Object.keys(WRITTEN) as Written[]) await checkBounds(own);
  const { reached, lines } = coverage.total;
  const ends = [...closings]
    .toSorted(([a], [b]) => a - b)
    .map(([code, times]) => `${code}: ${times}`);
  return {
    tried: `${frames} damaged frames in ${sessions} sessions beside ${edits} honest edits, which reached ${reached} of ${lines} lines of the sync server's connections, protocol, permissions and documents (${refused} were refused; ends: ${ends.join(', ')})`,
    failures: failures.list,
  };
}

const member = (origin: string): Promise<Visitor> =>
  signInMember(origin, `wire-${newId()}@example.com`);

function socketOf(origin: string, { jar }: Visitor): WebSocket {
  return new WebSocket(`${origin.replace('http', 'ws')}/sync`, {
    perMessageDeflate: false,
    headers: { cookie: jar.header, origin },
  });
}

function frameOf(
  step: Step,
  documentId: string,
  senderId: string,
  doc: A.Doc<WrittenDocument>,
  own: Written,
): Uint8Array {
  const { type, data, fields, flips, cut, isDeep } = step;
  if (isDeep) return Buffer.alloc(100_000, ARRAY_OF_ONE);
  const message = {
    type,
    senderId,
    targetId: 'server',
    documentId,
    ...(data !== 'nothing' && { data: dataOf(step, doc, own) }),
    ...fields,
  };
  const frame = Buffer.from(encoder.encode(message));
  for (const at of flips)
    frame[Math.min(frame.length - 1, Math.floor(at * frame.length))]! ^= 1 << Math.floor(at * 8);
  return frame.subarray(0, Math.ceil(frame.length * cut));
}

function dataOf(
  { data, bytes, excess, size }: Step,
  doc: A.Doc<WrittenDocument>,
  own: Written,
): Uint8Array {
  if (data === 'bytes') return bytes;
  // Without its first change, a document has no map yet.
  if (data === 'excess' && A.getHeads(doc).length > 0) {
    const { heads, changes } = excessiveChanges(doc, own, excess, size);
    return messageOf(heads, changes, 'v1');
  }
  if (data === 'request') return A.generateSyncMessage(A.init(), A.initSyncState())[1]!;
  const after = A.change(A.clone(doc), (draft) => {
    draft[WRITTEN[own]] ??= {};
    draft[WRITTEN[own]]!['fuzz'] = performance.now();
  });
  const change = A.getLastLocalChange(after)!;
  const { type, body } = chunkParts(data === 'change' ? change : A.save(after));
  // A correct checksum gets damage past the first check.
  if (bytes.length > 0) body[bytes[0]! % body.length] = bytes.at(-1)!;
  return messageOf(A.getHeads(after), [chunkOf(type, body)], data === 'change' ? 'v1' : 'v2');
}

const messageOf = (heads: string[], changes: Uint8Array[], type: 'v1' | 'v2'): Uint8Array =>
  A.encodeSyncMessage({
    heads,
    need: [],
    have: [],
    changes,
    type,
    supportedCapabilities: undefined,
  } as never);
