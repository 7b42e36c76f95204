import { sendMessage } from '#shared/chat/contract.ts';
import { readThreads } from '#shared/chat/threads.ts';
import type { TestApi, TestPerson } from '../api.ts';
import { makeProfile } from '../factories.ts';
import { befriend } from '../friends/befriend.ts';

let count = 0;

/** Creates a user with a profile. */
export async function createMember(api: TestApi, name: string): Promise<TestPerson> {
  const person = await api.as(`${name}.${++count}@example.com`);
  await makeProfile(person, { display_name: name });
  return person;
}

/** Creates two friends, who have a thread. */
export async function friends(api: TestApi, ...names: [string, string]) {
  const [one, other] = [await createMember(api, names[0]), await createMember(api, names[1])];
  await befriend(one, other);
  return [one, other] as const;
}

export const say = async (from: TestPerson, to: TestPerson, message_text: string) =>
  (await from.call(sendMessage, { body: { receiver_user_id: to.user.id, message_text } })).message;

/** Returns the threads in a user's contacts document. */
export const threadsOf = async (api: TestApi, { user }: TestPerson) =>
  readThreads(await api.document(user.documents.contacts));
