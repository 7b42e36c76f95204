import { once } from 'node:events';
import { createServer, request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { createSingleNodeBus } from '#shared/bus/bus.ts';
import type { ServerEvent } from '#shared/events/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { logout } from '#shared/session/contract.ts';
import { EventStreams } from '../../api/platform/events/event-streams.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { listen, type Listening } from './listen.ts';

describe('GET /api/events', () => {
  let api: TestApi;
  let people = 0;
  const listening: Listening[] = [];

  beforeAll(async () => {
    api = await startTestApi(inject('mongodbUri'));
  });
  afterEach(() => {
    for (const one of listening.splice(0)) one.close();
  });
  afterAll(() => api.close());

  async function sharer(name: string): Promise<TestPerson> {
    const person = await api.as(`${name}-${(people += 1)}@example.com`);
    await person.call(saveProfile, {
      body: { display_name: name, is_location_sharing_enabled: true },
    });
    return person;
  }
  async function listener(person: TestPerson, lastEventId?: string): Promise<Listening> {
    const one = await listen(api.origin, person, lastEventId);
    listening.push(one);
    return one;
  }
  const somewhere = () => ({ latitude: -10 - people * 0.1, longitude: 100 });

  test('the event stream requires a session and access', async () => {
    await expect(listen(api.origin, api.visitor())).rejects.toThrow('401');
    const stranger = await api.as('stranger@example.com', { access: false });
    await expect(listen(api.origin, stranger)).rejects.toThrow('403');
  });

  test('the event stream starts with an id to resume from and a retry time', async () => {
    const stream = await listener(await sharer('ann'));
    while (stream.lastId() === null) await wait(20);
    expect(stream.text()).toMatch(/^retry: \d+\nid: \S+\ndata:\n\n/);
  });

  test('a resumed event stream sends missed events once', async () => {
    const [ann, bob, cat] = [await sharer('ann'), await sharer('bob'), await sharer('cat')];
    const here = somewhere();
    const first = await listener(ann);
    await ann.call(reportLocation, { body: here });
    await bob.call(reportLocation, { body: here });
    const ofBob = await first.next('encounter');
    const seen = first.lastId();
    expect(seen).toBe(ofBob.id);
    first.close();
    await first.ended;
    const ofCat = await listener(cat);
    await cat.call(reportLocation, { body: here });
    await ofCat.next('encounter');
    while (
      (await api.db
        .collection('proximity_events')
        .countDocuments({ sender_user_id: cat.user.id })) < 2
    )
      await wait(20);

    const second = await listener(ann, seen ?? '');
    const missed = await second.next('encounter');
    expect(missed.user).toMatchObject({ user_id: cat.user.id, display_name: 'cat' });
    expect(second.events).toHaveLength(1);
  });

  test('a resumed event stream skips outdated events', async () => {
    const [ann, bob] = [await sharer('ann'), await sharer('bob')];
    await api.db.collection('proximity_events').insertOne({
      _id: 'old' as never,
      sender_user_id: bob.user.id,
      receiver_user_id: ann.user.id,
      distance_feet: 50,
      triggered_at: new Date(Date.now() - 31_000),
      pair_windows: ['old'],
    });
    const here = somewhere();
    const stream = await listener(ann, `${(Date.now() - 60_000).toString(36)}-x`);
    await ann.call(reportLocation, { body: here });
    await bob.call(reportLocation, { body: here });
    await stream.next('encounter');
    const encounters = stream.events.filter(({ type }) => type === 'encounter');
    expect(encounters).toMatchObject([{ user: { user_id: bob.user.id } }]);
    expect(encounters[0]).not.toMatchObject({ id: 'old' });
  });

  test('the event stream ends along with its session or access', async () => {
    const [ann, bob] = [await sharer('ann'), await sharer('bob')];
    const ofAnn = await listener(ann);
    const ofBob = await listener(bob);
    await ann.call(logout);
    await ofAnn.ended;
    await api.db
      .collection('users')
      .updateOne({ _id: bob.user.id as never }, { $set: { access_expires_at: new Date(0) } });
    await api.db
      .collection('signals')
      .insertOne({ topic: 'user', user_id: bob.user.id, at: new Date() });
    await ofBob.ended;
    await expect(listen(api.origin, bob)).rejects.toThrow('403');
  });

  test('an open event stream does not block the API from closing', async () => {
    const stream = await listener(await sharer('ann'));
    await api.restartApi();
    await stream.ended;
    expect(stream.events).toEqual([]);
  });
});

describe('the streams of all users', () => {
  /** Creates event streams behind a minimal server. The path names the user. */
  async function server() {
    const streams = new EventStreams(createSingleNodeBus(), { heartbeatMs: 20 });
    const bare = createServer((asked, response) =>
      streams.open(asked.url?.slice(1) ?? '', response, 'start', () => Promise.resolve(new Date())),
    );
    await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
    const { port } = bare.address() as AddressInfo;
    return {
      streams,
      open: (user: string): Promise<ClientRequest> =>
        new Promise((resolve, reject) => {
          const asked = request({ port, host: '127.0.0.1', path: `/${user}`, agent: false });
          asked.on('error', reject);
          asked.on('response', (response) => {
            response.on('error', () => {});
            resolve(asked);
          });
          asked.end();
        }),
      close() {
        streams.close();
        bare.close();
        bare.closeAllConnections();
      },
    };
  }
  const event: ServerEvent = { type: 'cadence', next_update_seconds: 5 };

  test('a thousand closed streams leave nothing behind', async () => {
    const { streams, open, close } = await server();
    for (let round = 0; round < 20; round += 1) {
      const opened = await Promise.all(
        Array.from({ length: 50 }, (_, index) => open(`user-${index}`)),
      );
      expect(streams.count()).toBe(50);
      for (const one of opened) one.destroy();
      while (streams.count() > 0) await wait(5);
    }
    expect(streams.count()).toBe(0);
    close();
  });

  test('limits the streams of one user by closing the oldest', async () => {
    const { streams, open, close } = await server();
    const opened: ClientRequest[] = [];
    for (let index = 0; index < 12; index += 1) opened.push(await open('ann'));
    expect(streams.count('ann')).toBe(8);
    const [oldest] = opened;
    while (!oldest?.destroyed) await wait(5);
    close();
  });

  test('disconnects clients that do not read', async () => {
    const { streams, open, close } = await server();
    await open('ann');
    // The response is never read, so unread data accumulates once the socket buffers are full.
    for (let sent = 0; streams.count('ann') > 0 && sent < 1e6; sent += 1) {
      streams.send('ann', event);
      if (sent % 1000 === 0) await wait(1);
    }
    expect(streams.count('ann')).toBe(0);
    close();
  });

  test('ends streams that lost access, and keeps them while access can’t be checked', async () => {
    const streams = new EventStreams(createSingleNodeBus(), { heartbeatMs: 20 });
    const answers = {
      ann: () => Promise.resolve(null),
      bob: () => Promise.reject(new Error('no database')),
    };
    const bare = createServer((asked, response) => {
      const user = asked.url === '/ann' ? 'ann' : 'bob';
      streams.open(user, response, 'start', answers[user]);
    });
    await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
    const { port } = bare.address() as AddressInfo;
    const [ann, bob] = await Promise.all([
      fetch(`http://127.0.0.1:${port}/ann`),
      fetch(`http://127.0.0.1:${port}/bob`),
    ]);
    expect(await ann.text()).toContain('id: start');
    expect(streams.count('ann')).toBe(0);
    expect(streams.count('bob')).toBe(1);
    streams.close();
    expect(await bob.text()).toContain('id: start');
    bare.close();
  });

  test('delivers nothing while it cannot be known whether sessions ended, and ends the streams after a while', async () => {
    let isFresh = true;
    let whenFresh = Promise.resolve();
    const signals = { isFresh: () => isFresh, whenFresh: () => whenFresh };
    const streams = new EventStreams(createSingleNodeBus(), { signals });
    const bare = createServer((_, response) =>
      streams.open('ann', response, 'start', () => Promise.resolve(new Date())),
    ).listen(0, '127.0.0.1');
    await once(bare, 'listening');
    const stream = await fetch(`http://127.0.0.1:${(bare.address() as AddressInfo).port}`);
    const text = stream.text();
    let resume = () => {};
    whenFresh = new Promise((resolve) => (resume = resolve));
    isFresh = false;
    streams.send('ann', { ...event, next_update_seconds: 6 });
    isFresh = true;
    resume();
    await wait(20);
    isFresh = false;
    whenFresh = new Promise(() => {});
    streams.send('ann', { ...event, next_update_seconds: 7 });
    const received = await text;
    expect(received).toContain('"next_update_seconds":6');
    expect(received).not.toContain('"next_update_seconds":7');
    expect(streams.count()).toBe(0);
    streams.close();
    bare.close();
  });
});
