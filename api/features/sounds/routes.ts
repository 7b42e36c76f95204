import { notFound } from '#shared/http/http-error.ts';
import type { UserRow } from '#shared/server/collections.ts';
import {
  createSound,
  deleteSound,
  getRecording,
  listSounds,
  updateSound,
  uploadSound,
  type CustomSound,
} from '#shared/sounds/contract.ts';
import { readSounds } from '#shared/sounds/document.ts';
import { fileData } from '../../platform/files/personal-data.ts';
import { sendFile } from '../../platform/files/send.ts';
import {
  serve,
  serveAdmitted,
  serveStream,
  type Announced,
} from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { changeOwn, readOwn } from '../../platform/user-documents.ts';
import { refuseContent } from '../content-rules/refuse-content.ts';
import { openRecordings, soundOfKey } from './recordings.ts';

type OfSound = Announced<{ id: string }, unknown>;

const soundsIn = (account: unknown, user: UserRow): CustomSound[] =>
  readSounds(account).map((sound) => ({ ...sound, user_id: user._id }));

function soundIn(account: unknown, user: UserRow, id: string): CustomSound {
  const sound = soundsIn(account, user).find((each) => each.id === id);
  if (!sound) throw notFound('Sound');
  return sound;
}

/** An owner’s custom alert sounds, which are part of the account document; recordings are files. */
export function mountSounds(api: Api): void {
  const { services } = api;
  const recordings = openRecordings(services.db);
  services.personalData.add(fileData('sounds', recordings.store));

  const soundOf = async (user: UserRow, id: string): Promise<CustomSound> =>
    soundIn(await readOwn(services, user, 'account'), user, id);

  serve(api, listSounds, async ({ caller: { user } }) => ({
    sounds: soundsIn(await readOwn(services, user, 'account'), user),
  }));

  const refuseName = (user: UserRow, content_id: string, name: string) =>
    refuseContent(services, {
      user_id: user._id,
      content_type: 'sound_name',
      content_id,
      fields: { name },
    });

  serve(api, createSound, async ({ body, caller: { user }, freshId }) => {
    const id = freshId();
    await refuseName(user, id, body.name);
    const before = soundsIn(await readOwn(services, user, 'account'), user);
    const account = await changeOwn(services, user, {
      kind: 'account',
      name: 'sound.set',
      input: { ...body, id },
    });
    const replaced = before.find((each) => each.sound_type === body.sound_type && each.id !== id);
    if (replaced) await recordings.removeOf(user._id, replaced.id);
    return { sound: soundIn(account, user, id) };
  });

  serve(api, updateSound, async ({ params: { id }, body, caller: { user } }) => {
    await soundOf(user, id);
    await refuseName(user, id, body.name);
    const account = await changeOwn(services, user, {
      kind: 'account',
      name: 'sound.rename',
      input: { ...body, id },
    });
    return { sound: soundIn(account, user, id) };
  });

  serve(api, deleteSound, async ({ params: { id }, caller: { user } }) => {
    const sounds = soundsIn(await readOwn(services, user, 'account'), user);
    const isThere = sounds.some((each) => each.id === id);
    if (isThere)
      await changeOwn(services, user, { kind: 'account', name: 'sound.remove', input: { id } });
    // A device may have removed the sound already, but not its recording.
    const hadRecording = await recordings.removeOf(user._id, id);
    if (!isThere && !hadRecording) throw notFound('Sound');
    return {};
  });

  const admitOwner = async ({ params: { id }, caller: { user } }: OfSound) =>
    void (await soundOf(user, id));
  serveAdmitted(
    api,
    uploadSound,
    admitOwner,
    async ({ params: { id }, caller: { user }, file }) => {
      await soundOf(user, id);
      const image_key = await recordings.put(file.path, user._id, id);
      // Before the account is read: it may not include sounds that are added later.
      const keys = await recordings.keysOf(user._id);
      const change = { id, image_key };
      const account = await changeOwn(services, user, {
        kind: 'account',
        name: 'sound.recording',
        input: change,
      });
      // Devices remove sounds offline: their recordings are cleaned up here.
      const there = new Set(readSounds(account).map((sound) => sound.id));
      const isOver = (key: string) =>
        !there.has(soundOfKey(key)) || (soundOfKey(key) === id && key !== image_key);
      for (const key of keys.filter(isOver)) await recordings.store.remove(key, user._id);
      return { sound: soundIn(account, user, id) };
    },
  );

  serveStream(api, getRecording, async ({ params: { key }, caller: { user }, ctx }) => {
    const file = await recordings.store.find(key);
    if (file?.ownerUserId !== user._id) throw notFound('Sound');
    sendFile(ctx, key, file);
  });
}
