import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { saveProfile } from '#shared/profile/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { me, type CurrentUser } from '#shared/session/contract.ts';
import { ISSUER } from '../../../api/platform/session/sandbox-codes.ts';
import { newDocumentId } from '../../../api/platform/sync-server-client.ts';
import { CallError, caller } from '../../../client/platform/http/api-client.ts';
import type { Call, TestApi } from '../../api.ts';
import { insertUser } from '../../sync.ts';

/** A new user, inserted as if they had signed in and entered an access code, which is not simulated. */
export interface SimulatedPerson {
  user: CurrentUser;
  cookie: string;
  call: Call;
}

export async function newPerson(
  { db, origin }: Pick<TestApi, 'db' | 'origin'>,
  name: string,
): Promise<SimulatedPerson> {
  const documents: UserRow['documents'] = {
    card: newDocumentId(),
    account: newDocumentId(),
    contacts: newDocumentId(),
  };
  // The API ends the sessions of other identity providers when it starts.
  const identity = `${ISSUER} ${randomUUID()}`;
  const { cookie } = await insertUser(db, { documents, identity });
  const call = caller({ origin, headers: { cookie } });
  await withRetries(() =>
    call(saveProfile, { body: { display_name: name, is_location_sharing_enabled: false } }),
  );
  return { user: await call(me), cookie, call };
}

const TRIES = 20;
const BETWEEN_MS = 500;

/** Runs the setup of the simulation, and retries while newly started servers are not ready. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--)
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof CallError && [0, 503].includes(error.status);
      if (!isAway || left === 0) throw error;
      await wait(BETWEEN_MS);
    }
}
