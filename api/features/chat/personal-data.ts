import { pathOfFile } from '../../platform/files/images.ts';
import { fileStore } from '../../platform/files/store.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import type { PersonalDataHandler } from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { users } from '../../platform/session/collections.ts';
import { changeDocumentOf } from '../../platform/user-documents.ts';
import { fileOwner, removeFiles } from './attachments.ts';
import { messages, threads } from './collections.ts';
import { documentsOf } from './segment-documents.ts';
import { forgetDraft } from './threads.ts';

/** Exports the user’s messages, with photos and voice notes. With the account, its threads are removed for both users. */
export const threadData = (services: Services): PersonalDataHandler => ({
  name: 'messages',
  async export({ _id }) {
    const rows = await messages(services.db)
      .find({ sender_user_id: _id })
      .sort({ created_at: 1 })
      .toArray();
    return rows.map((row) => ({
      to_user_id: row.receiver_user_id,
      message_text: row.text,
      created_at: row.created_at,
      is_read: row.is_read,
      ...(row.photo?.image_key && { photo: pathOfFile(row.photo.image_key) }),
      ...(row.voice && {
        voice_seconds: row.voice.seconds,
        ...(row.voice.sound_key && { voice: pathOfFile(row.voice.sound_key) }),
      }),
      ...(row.place_id && { place_id: row.place_id }),
    }));
  },
  async *files({ _id }) {
    for await (const thread of threads(services.db).find({ users: _id }))
      for await (const { key, bytes, open } of fileStore(services.db, 'images').listOf(
        fileOwner(thread._id, _id),
      ))
        yield { path: pathOfFile(key), bytes, open };
  },
  async remove({ _id }) {
    const { db, documents } = services;
    await forEachIsolated(threads(db).find({ users: _id }), async (thread) => {
      for (const id of documentsOf(thread)) await documents.remove(id);
      await removeFiles(services, thread);
      await messages(db).deleteMany({ thread_id: thread._id });
      const left = await users(db)
        .find({ _id: { $in: thread.users.filter((user) => user !== _id) } })
        .toArray();
      for (const person of left) {
        if (!person.documents_ready || person.deleted_at) continue;
        await changeDocumentOf(services, person, {
          kind: 'contacts',
          name: 'thread.remove',
          input: {
            friend_user_id: _id,
          },
        });
        await forgetDraft(services, person, _id);
      }
      await threads(db).deleteOne({ _id: thread._id });
    });
  },
});
