import { Agent, request } from 'node:http';
import { readThreads } from '#shared/chat/threads.ts';
import { readContacts } from '#shared/friends/document.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { signIn, type Visitor } from '../../scripts/session/api-session.ts';
import { CookieJar } from '../../scripts/session/cookie-jar.ts';
import { each } from './each.ts';
import type { SyncDevice } from './sync-device.ts';

const ANSWER_MAX_MS = 10_000;

/** A seeded owner who is signed in. Requests come from an address of their own, through a proxy that the product trusts. */
export interface Owner extends Visitor {
  origin: string;
  /** The headers of a request without a body. */
  headers(): Record<string, string>;
  /** Sends a request without the costs of `call`. @returns the body. @throws unless the status is 200 */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<string>;
}

/** Signs seeded owners in, and lets them share their position. */
export async function signInOwners(
  origin: string,
  count: number,
  interrupted: AbortSignal,
): Promise<Owner[]> {
  const owners: Owner[] = [];
  const agent = new Agent({ keepAlive: true });
  await each(
    Array.from({ length: count }, (_, i) => i),
    async (number) => {
      const owner = await signInOwner(origin, number, agent);
      const body = { display_name: owner.user.name, is_location_sharing_enabled: true };
      await owner.call(saveProfile, { body });
      owners[number] = owner;
      if ((number + 1) % 500 === 0) console.error(`  ${number + 1} of ${count} owners signed in`);
    },
    interrupted,
  );
  return owners;
}

async function signInOwner(origin: string, number: number, agent: Agent): Promise<Owner> {
  const from = { 'x-forwarded-for': addressOf(number) };
  const visitor = await signIn(origin, `crowd-1-${number}@example.com`, new CookieJar(from));
  const headers = () => ({ ...from, cookie: visitor.jar.header });
  return {
    ...visitor,
    origin,
    headers,
    send(method, path, body) {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const all = {
        ...headers(),
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      };
      return new Promise((resolve, reject) => {
        const sent = request(`${origin}${path}`, {
          method,
          agent,
          headers: all,
          signal: AbortSignal.timeout(ANSWER_MAX_MS),
        });
        sent.on('error', reject);
        sent.on('response', (response) => {
          let answer = '';
          response.setEncoding('utf8').on('data', (part: string) => (answer += part));
          response.on('error', reject).on('end', () => {
            if (response.statusCode === 200) resolve(answer);
            else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`));
          });
        });
        sent.end(text);
      });
    },
  };
}

/** Returns an address of the network that is reserved for benchmarks (RFC 2544). */
const addressOf = (number: number): string =>
  `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;

export const documentIdOf = (url: string): string => url.replace('automerge:', '');

/** The documents that an owner's devices keep open, as the client does. */
export interface OwnerDocuments {
  all: string[];
  /** The newest segments of the owner's conversations. */
  conversations: { friendId: string; mine: string; theirs: string }[];
}

/** Reads which documents an owner's devices keep open. */
export async function documentsOf({ user }: Owner, device: SyncDevice): Promise<OwnerDocuments> {
  const own = Object.values(user.documents).map(documentIdOf);
  const { doc } = await device.load(documentIdOf(user.documents.contacts));
  const { friends } = readContacts(doc);
  const cards = friends.flatMap(({ card }) => (card ? [documentIdOf(card)] : []));
  const conversations = readThreads(doc).flatMap(({ friend_user_id, segments }) => {
    const newest = segments[0];
    if (!newest) return [];
    const [mine, theirs] = [documentIdOf(newest.mine), documentIdOf(newest.theirs)];
    return [{ friendId: friend_user_id, mine, theirs }];
  });
  const segments = conversations.flatMap(({ mine, theirs }) => [mine, theirs]);
  return { all: [...own, ...cards, ...segments], conversations };
}
