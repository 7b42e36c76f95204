import { setTimeout as wait } from 'node:timers/promises';
import { next as A } from '@automerge/automerge';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { AccountDocument } from '#shared/account/document.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import type { SegmentDocument } from '#shared/chat/document.ts';
import { readThreads } from '#shared/chat/threads.ts';
import { deleteFriend } from '#shared/friends/contract.ts';
import { readContacts } from '#shared/friends/document.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { logout } from '#shared/session/contract.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { signIn, type Visitor } from '../../scripts/session/api-session.ts';
import { listen } from '../events/listen.ts';
import { befriend } from '../friends/befriend.ts';
import { RawDevice } from '../sync/raw-device.ts';
import { type Cluster, type ClusterNode, startCluster } from './cluster.ts';

/** How long a permission that ended may still count. */
const EFFECT_MS = 1_000;
/** How long a node that can verify nothing leaves its sockets open, with time for a busy machine. */
const UNVERIFIED_MS = 10_000;
const RESUME_MS = 15_000;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster(inject('mongod'));
}, 180_000);
afterAll(() => cluster?.close(), 60_000);

/** Connects a device to one sync node. */
const deviceAt = ({ url }: ClusterNode, { jar }: Visitor): Promise<RawDevice> =>
  new RawDevice(
    new WebSocket(`${url.replace('http', 'ws')}/sync`, {
      perMessageDeflate: false,
      headers: { cookie: jar.header, origin: cluster.origin },
    }),
  ).join();
const idOf = (url: string) => url.replace('automerge:', '');
/** Cuts the API node and the sync node with this number off. */
const cutBoth = (number: number, target: 'nats' | 'mongodb') => (): (() => void) => {
  const ends = ['api', 'sync-server'].map((role) => cluster.links.cut(`${role}-${number}`, target));
  return () => ends.forEach((end) => end());
};
const withoutNats: [string, () => () => void][] = [
  ['the other nodes are cut off from NATS', cutBoth(2, 'nats')],
  ['the nodes that end it are cut off from NATS', cutBoth(1, 'nats')],
];

/** A node without both gets no news of what has ended. */
const withoutMongodb: [string, ('nats' | 'mongodb')[]][] = [
  ['MongoDB', ['mongodb']],
  ['MongoDB and NATS', ['mongodb', 'nats']],
];

type Ending = [string, (api: ClusterNode, one: Visitor, other: Visitor) => Promise<unknown>];
const endings: Ending[] = [
  [
    'a block',
    (api, one, other) =>
      cluster.callAt(api, one)(createBlock, { body: { blocked_user_id: other.user.id } }),
  ],
  [
    'removing a friend',
    (api, one, other) =>
      cluster.callAt(api, one)(deleteFriend, { params: { friendUserId: other.user.id } }),
  ],
];

test.each(
  endings.flatMap(([ending, endFriendship]) =>
    withoutNats.map(([fault, cut]) => [ending, fault, endFriendship, cut] as const),
  ),
)(
  '%s ends the permissions of the former friend within a second while %s',
  async (_ending, _fault, endFriendship, cut) => {
    const [ann, bob] = await createFriends();
    const [api, sync] = [await cluster.node('api-1'), await cluster.node('sync-server-2')];
    const device = await deviceAt(sync, bob);
    const shared = await openShared(device, bob);
    const end = cut();
    try {
      await endFriendship(api, ann, bob);
      expect(await Promise.race([device.closed, wait(EFFECT_MS)])).toBe(closeCodes.rightsChanged);
      await expectUnavailable(await deviceAt(sync, bob), shared);
    } finally {
      end();
    }
  },
  60_000,
);

test.each(
  endings.flatMap(([ending, endFriendship]) =>
    withoutMongodb.map(([fault, targets]) => [ending, fault, endFriendship, targets] as const),
  ),
)(
  '%s ends what a sync node serves the former friend, and what it takes, while that node is cut off from %s',
  async (_ending, _fault, endFriendship, targets) => {
    const [ann, bob] = await createFriends();
    const [api, sync] = [await cluster.node('api-1'), await cluster.node('sync-server-2')];
    const device = await deviceAt(sync, bob);
    const { segment, card, own } = await openShared(device, bob);
    const doc = await device.read<SegmentDocument>(own);
    // Open at the other node, too, so that the end of the permission is a change of its own there.
    const other = await deviceAt(await cluster.node('sync-server-1'), bob);
    await other.read(segment);
    const ends = targets.map((target) => cluster.links.cut('sync-server-2', target));
    try {
      await wait(EFFECT_MS);
      await endFriendship(api, ann, bob);
      expect(await Promise.race([other.closed, wait(EFFECT_MS)])).toBe(closeCodes.rightsChanged);
      device.answers.length = 0;
      // Segments may not have times.
      const written = A.change(doc, { time: 0 }, (draft) => void Object.assign(draft, { late: 1 }));
      if (device.socket.readyState === WebSocket.OPEN) {
        device.push(own, A.getHeads(written), [A.getLastLocalChange(written)!], 'v1');
        for (const id of [segment, card]) device.request(id);
      }
      expect([closeCodes.rightsChanged, closeCodes.tryAgainLater]).toContain(
        await Promise.race([device.closed, wait(UNVERIFIED_MS)]),
      );
      expect(device.answers.filter(({ type }) => type === 'sync')).toEqual([]);
    } finally {
      ends.forEach((end) => end());
    }
    const again = await vi.waitFor(() => deviceAt(sync, bob), RESUME_MS);
    await expectUnavailable(again, { segment, card });
  },
  90_000,
);

test.each(withoutNats)(
  'a session that ends can do nothing anywhere after a second while %s',
  async (_, cut) => {
    const [, bob] = await createFriends();
    const phone = await signIn(cluster.origin, bob.user.email);
    const [first, second] = [await cluster.node('api-1'), await cluster.node('api-2')];
    const device = await deviceAt(await cluster.node('sync-server-2'), phone);
    await device.read(idOf(bob.user.documents.account));
    const stream = await listen(second.url, phone);
    const headers = { cookie: phone.jar.header };
    const end = cut();
    try {
      await cluster.callAt(first, phone)(logout);
      const late = wait(EFFECT_MS);
      expect(await Promise.race([device.closed, late])).toBe(closeCodes.rightsChanged);
      const isEnded = stream.ended.then(() => true);
      expect(await Promise.race([isEnded, late])).toBe(true);
      await late;
      expect((await fetch(`${second.url}/api/dogs`, { headers })).status).toBe(401);
    } finally {
      end();
    }
  },
  60_000,
);

test('nodes that are cut off from MongoDB tell a session that ended nothing, and take nothing from it', async () => {
  const [ann, bob] = await createFriends();
  const phone = await signIn(cluster.origin, bob.user.email);
  const [first, second] = [await cluster.node('api-1'), await cluster.node('api-2')];
  const id = idOf(bob.user.documents.account);
  const laptop = await deviceAt(await cluster.node('sync-server-1'), bob);
  const device = await deviceAt(await cluster.node('sync-server-2'), phone);
  const doc = await laptop.read<AccountDocument>(id);
  await device.read(id);
  const streams = await Promise.all([listen(first.url, bob), listen(second.url, phone)]);
  const here = { latitude: -44, longitude: 18 };
  await cluster.callAt(first, ann)(reportLocation, { body: here });
  const end = cutBoth(2, 'mongodb')();
  try {
    await wait(EFFECT_MS);
    await cluster.callAt(first, phone)(logout);
    await wait(EFFECT_MS);
    device.answers.length = 0;
    const after = A.change(doc, (draft) => void (draft.settings['laptop'] = 1));
    await laptop.keep(id, after);
    const phones = A.change(A.clone(doc), (draft) => void (draft.settings['phone'] = 1));
    if (device.socket.readyState === WebSocket.OPEN)
      device.push(id, A.getHeads(phones), [A.getLastLocalChange(phones)!], 'v1');
    const near = { ...here, latitude: here.latitude + 0.0001 };
    await cluster.callAt(first, bob)(reportLocation, { body: near });
    await streams[0].next('encounter');
    await wait(EFFECT_MS);
  } finally {
    end();
  }
  await Promise.all([device.closed, streams[1].ended]);
  expect(device.answers.filter(({ documentId }) => documentId === id)).toEqual([]);
  expect(streams[1].events).toEqual([]);
  for (const stream of streams) stream.close();
  laptop.close();
}, 60_000);

interface Shared {
  /** Of the friend's thread segments. */
  segment: string;
  /** The friend's card. */
  card: string;
}

/** Opens what a friend shares with a person. */
async function openShared(device: RawDevice, person: Visitor): Promise<Shared & { own: string }> {
  const contacts = await device.read(idOf(person.user.documents.contacts));
  const [thread] = readThreads(contacts);
  const { theirs, mine } = thread!.segments[0]!;
  const [friend] = readContacts(contacts).friends;
  const shared = { segment: idOf(theirs), card: idOf(friend!.card!), own: idOf(mine) };
  for (const id of Object.values(shared)) await device.read(id);
  return shared;
}

/** Expects that a device gets nothing that was shared. */
async function expectUnavailable(device: RawDevice, { segment, card }: Shared): Promise<void> {
  for (const id of [segment, card]) {
    device.request(id);
    const { type } = await device.next(({ documentId }) => documentId === id);
    expect(type).toBe('doc-unavailable');
  }
  device.close();
}

let pairs = 0;
/** Creates two friends, who have a thread. */
async function createFriends(): Promise<[Visitor, Visitor]> {
  const name = `pair-${++pairs}`;
  const one = await cluster.createOwner(`${name}-one`);
  const other = await cluster.createOwner(`${name}-other`);
  await befriend(one, other);
  return [one, other];
}
