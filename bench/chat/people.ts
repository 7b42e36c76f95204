import { saveProfile } from '#shared/profile/contract.ts';
import { signInMember, type Visitor } from '../../scripts/cli/api-session.ts';

/** Creates a user with an HTTP client, access and a name. */
export async function newPerson(origin: string, name: string): Promise<Visitor> {
  const person = await signInMember(
    origin,
    `${name.replaceAll(' ', '-')}.${crypto.randomUUID().slice(0, 8)}@example.com`,
  );
  await person.call(saveProfile, {
    body: { display_name: name, is_location_sharing_enabled: false },
  });
  return person;
}
