import { randomUUID } from 'node:crypto';
import { createCode, type AccessCode } from '#shared/access-gate/admin-contract.ts';
import { createDog, type Dog, type DogFields } from '#shared/dogs/contract.ts';
import { saveProfile, type Profile, type ProfileFields } from '#shared/profile/contract.ts';
import type { TestPerson } from './api.ts';

/** Creates an access code as an admin. */
export async function makeCode(
  admin: TestPerson,
  overrides: { code?: string; max_uses?: number; expires_at?: string; description?: string } = {},
): Promise<AccessCode> {
  const body = { code: `CODE-${randomUUID().slice(0, 12)}`, ...overrides };
  return (await admin.call(createCode, { body })).accessCode;
}

export const makeProfile = (
  person: TestPerson,
  overrides: Partial<ProfileFields> = {},
): Promise<Profile> =>
  person.call(saveProfile, {
    body: {
      display_name: person.user.given_name,
      is_location_sharing_enabled: true,
      ...overrides,
    },
  });

export async function makeDog(
  person: TestPerson,
  overrides: Partial<DogFields> = {},
): Promise<Dog> {
  const body = { name: 'Rex', sound_type: 'leash_on' as const, ...overrides };
  return (await person.call(createDog, { body })).dog;
}
