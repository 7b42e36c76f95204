import { saveProfile } from '#shared/profile/contract.ts';
import { passGate, signIn, type Visitor } from '../../scripts/cli/api-session.ts';

/** Somebody new with an HTTP client, past the gate and with a name. */
export async function newPerson(origin: string, name: string): Promise<Visitor> {
  const person = await signIn(
    origin,
    `${name.replaceAll(' ', '-')}.${crypto.randomUUID().slice(0, 8)}@example.com`,
  );
  await passGate(origin, person);
  await person.call(saveProfile, {
    body: { display_name: name, is_location_sharing_enabled: false },
  });
  return person;
}
