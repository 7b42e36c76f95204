import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { listMessages } from '#shared/chat/contract.ts';
import { createFriendRequest, respondToFriendRequest } from '#shared/friends/contract.ts';
import { decideReport } from '#shared/moderation/admin-contract.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import { databaseTrouble } from '#shared/server/database-errors.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import type { Device } from '../../tests/chat/simulation/device.ts';
import { addSession } from '../../tests/sync.ts';
import type { Intent } from './intents.ts';
import { DEVICES, FRIEND, type DeviceIndex, type Person, type Step } from './script.ts';
import { LOOK_EVERY_MS, type World } from './world.ts';

const SLOW_READS_MS = 120;
/** How much slower a processor gets, beside once. */
const SLOWDOWN_MAX = 5;
/** How often somebody pauses who types much. */
const PAUSES = 25;
/** What is written at once when it is much. It can't be compressed. */
const MUCH = { messages: 80, bytes: 660 };
/** For how many operations there is room in a document that is nearly full. */
const ROOM_OF_FULL = 60;

type DeviceStep = Extract<Step, { device: DeviceIndex }>;

/** Plays the steps that happen on devices. */
export class DeviceSteps {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  async play({ is, chance }: DeviceStep, i: DeviceIndex, device: Device): Promise<void> {
    const by = DEVICES[i];
    const friend = this.#world.friendOf(i);
    const text = `${by} ${randomUUID().slice(0, 8)}`;
    switch (is) {
      case 'write':
        return this.#write(i, device, text);
      case 'write-photo':
        return this.#write(i, device, text, true);
      case 'write-much':
        for (let left = MUCH.messages; left > 0; left--)
          await this.#write(
            i,
            device,
            `${text} ${left} ${randomBytes(MUCH.bytes).toString('base64')}`,
          );
        return;
      case 'befriend':
        return this.#befriend(by);
      case 'add-dog':
        if (await device.call('addDog', { name: text }))
          this.#world.intents.add('dog', text, by, i);
        return;
      case 'draft':
        return this.#type(i, device, text);
      case 'type':
        for (let pause = 0; pause < PAUSES; pause++)
          await this.#type(i, device, text + '.'.repeat(pause));
        return;
      case 'change-refused':
        if (await device.call('changeRefused')) this.#world.refused.add(i);
        return;
      case 'fill-account':
        return void (await device.call('fillAccount', ROOM_OF_FULL));
      case 'read': {
        const read = await device.call('read', { friend });
        if (i === FRIEND) for (const each of read) this.#world.intents.read.add(each);
        return;
      }
      case 'unsend':
        return this.#unsend(i, device, chance);
      case 'edit':
        return this.#edit(i, device, chance, text);
      case 'remove':
        return this.#remove(by, chance);
      case 'offline':
        this.#world.links[i]!.cut();
        this.#world.offline.add(i);
        return void (await device.call('setOnline', false));
      case 'online':
        this.#world.links[i]!.restore();
        this.#world.offline.delete(i);
        this.#world.intents.heard(i);
        return void (await device.call('setOnline', true));
      case 'kill':
        this.#world.lostOpen.delete(i);
        this.#world.intents.killed(i);
        await this.#world.excuseUnstored(i);
        return void (await device.call('kill'));
      case 'start':
        return void (await device.call('start'));
      case 'slow-line':
        this.#world.links[i]!.rate = this.#world.times.slowLine;
        return;
      case 'lossy-line':
        this.#world.links[i]!.isFaulty = true;
        return;
      case 'full-disk':
        if (!this.#world.fullSince.has(i)) this.#world.fullSince.set(i, Date.now());
        return void (await device.call('setFull', true));
      case 'free-disk':
        await this.#world.free(i);
        return;
      case 'slow-reads':
        return void (await device.call('setReadMs', chance * SLOW_READS_MS));
      case 'slow-processor':
        return void (await device.call('setSlowdown', 1 + chance * SLOWDOWN_MAX));
      case 'damage':
        return void (await device.call('damage', chance));
      case 'end-session':
      case 'switch-account':
        return this.#newSession(i, device, is === 'switch-account');
      case 'lose-documents':
      case 'lose-everything':
        return this.#lose(i, device, is);
      case 'block':
        await device.call('block', { friend });
        this.#world.isBlocked = true;
        // It can't be sent any more.
        this.#world.intents.typed.clear();
        return this.#world.intents.blocked();
    }
  }

  async #write(i: DeviceIndex, device: Device, text: string, hasPhoto = false): Promise<void> {
    // Other devices show a thread until they hear of its end.
    const excuse = this.#world.isBlocked ? 'blocked' : null;
    const given = { friend: this.#world.friendOf(i), text };
    if (await (hasPhoto ? device.call('writePhoto', given) : device.call('write', given)))
      this.#world.intents.add('message', text, DEVICES[i], i, excuse).hasPhoto = hasPhoto;
  }

  async #befriend(by: Person): Promise<void> {
    const { [by]: asking, cas } = this.#world.people;
    try {
      const { friend_request } = await asking.call(createFriendRequest, {
        body: { receiver_user_id: cas.user.id },
      });
      const body = { request_id: friend_request.id, action: 'accept' as const };
      await cas.call(respondToFriendRequest, { body });
    } catch (error) {
      // The servers may be down, and they may be friends.
      if (!(error instanceof CallError || databaseTrouble(error))) throw error;
    }
  }

  async #type(i: DeviceIndex, device: Device, text: string): Promise<void> {
    const isTaken = await device.call('draft', { friend: this.#world.friendOf(i), text });
    // A real composer empties it with the next message, and its browser stores it late.
    if (isTaken && !this.#world.areReal && !this.#world.isBlocked)
      this.#world.intents.addTyped(DEVICES[i], {
        text,
        device: i,
        isApart: this.#world.offline.has(i),
      });
  }

  /** Finds an own message that the device shows as sent. */
  async #sent(i: DeviceIndex, chance: number): Promise<Intent | undefined> {
    const claims = await this.#world.claimsOf(i);
    const sent = (claims?.threads ?? [])
      .flatMap(({ messages }) => messages)
      .filter(({ isOwn, delivery }) => isOwn && delivery !== 'device' && delivery !== 'held');
    const message = sent[Math.floor(chance * sent.length)];
    return message && this.#world.intents.find(message.text);
  }

  /** Unsends a message of the device's owner from any of their devices. */
  async #unsend(i: DeviceIndex, device: Device, chance: number): Promise<void> {
    const friend = this.#world.friendOf(i);
    const intent = await this.#sent(i, chance);
    if (!intent) return;
    // Another device may have edited it, which this one hears of only now.
    const { isRemoved, removal } = intent;
    this.#world.intents.remove(intent);
    intent.removal = { device: i, at: Date.now() };
    if (await device.call('unsend', { friend, text: intent.text })) return;
    Object.assign(intent, { isRemoved, removal });
  }

  /** The same with an edit. */
  async #edit(i: DeviceIndex, device: Device, chance: number, to: string): Promise<void> {
    const friend = this.#world.friendOf(i);
    const intent = await this.#sent(i, chance);
    if (!intent) return;
    const takeBack = this.#world.intents.edit(intent, to, i);
    if (!(await device.call('edit', { friend, text: intent.text, to }))) takeBack();
  }

  /** A friend reports a message, and a moderator removes it. */
  async #remove(author: Person, chance: number): Promise<void> {
    const reporter = this.#world.people[author === 'ann' ? 'bob' : 'ann'];
    try {
      const { messages } = await reporter.call(listMessages, {
        params: { friendUserId: this.#world.idOf(author) },
        query: {},
      });
      const theirs = messages.filter(
        ({ sender_user_id }) => sender_user_id === this.#world.idOf(author),
      );
      const message = theirs[Math.floor(chance * theirs.length)];
      const intent = message && this.#world.intents.find(message.message_text);
      if (!intent || intent.isRemoved) return;
      const { report } = await reporter.call(reportMessage, {
        body: {
          reported_user_id: this.#world.idOf(author),
          message_id: message.id,
          report_type: 'harassment',
          description: 'A message of the simulation',
        },
      });
      this.#world.intents.remove(intent);
      const admin = await this.#world.api.asAdmin();
      const row = await this.#world.api.db
        .collection<{ _id: string; version: number }>('message_reports')
        .findOne({ _id: report.id });
      await admin.call(decideReport, {
        params: { id: report.id },
        body: { version: row?.version ?? 0, status: 'resolved', remove_message: true },
      });
    } catch (error) {
      // The servers may be down, and the thread may have ended.
      if (!(error instanceof CallError || databaseTrouble(error))) throw error;
    }
  }

  /** The session ends other than by logout, perhaps someone else signs in, and the owner does again. */
  async #newSession(i: DeviceIndex, device: Device, isSwitched: boolean): Promise<void> {
    this.#world.lostOpen.delete(i);
    await this.#world.excuseUnstored(i);
    if (this.#world.outdated.has(i)) this.#world.intents.signedOut(i);
    await device.call('endSession');
    const signIn = async (person: Person | 'cas') => {
      const { user } = this.#world.people[person];
      const cookie = await this.#world.stored(() => addSession(this.#world.api.db, user.id));
      this.#world.cookies[i] = cookie;
      await device.call('signIn', { user, cookie });
    };
    if (isSwitched) {
      await signIn('cas');
      await wait(LOOK_EVERY_MS);
      await device.call('endSession');
    }
    await signIn(DEVICES[i]);
  }

  async #lose(i: DeviceIndex, device: Device, is: 'lose-documents' | 'lose-everything') {
    if (is === 'lose-documents') return void (await device.call('lose', 'documents'));
    if (await this.#world.claimsOf(i)) this.#world.lostOpen.add(i);
    await device.call('lose', 'everything');
    this.#world.intents.lost(i);
  }
}
