import type { BrowserContext, Page } from '@playwright/test';
import { createDog } from '#shared/dogs/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { redirectUrl } from '#shared/session/contract.ts';
import { pathOf } from '../../client/platform/http/api-client.ts';
import { signInMember } from '../../scripts/session/api-session.ts';

const DOGS = ['Bella', 'Rex', 'Luna'];

/** Makes an owner with a profile and three dogs, and signs this browser in as them, up to a dashboard that shows all. */
export async function bringOwner(
  context: BrowserContext,
  origin: string,
  email = `bench.${crypto.randomUUID().slice(0, 8)}@example.com`,
): Promise<Page> {
  const owner = await signInMember(origin, email);
  await owner.call(saveProfile, {
    body: { display_name: 'Robin', is_location_sharing_enabled: false },
  });
  for (const name of DOGS) await owner.call(createDog, { body: { name, sound_type: 'leash_off' } });
  const page = context.pages()[0] ?? (await context.newPage());
  // The browser itself must start the sign-in, because its cookie stores the request.
  const asked = await context.request.get(pathOf(redirectUrl, {}, { login_hint: email }));
  const started = redirectUrl.answer.parse(await asked.json());
  await page.goto(started.redirectUrl);
  await page.waitForURL('**/home');
  await page.getByText(DOGS[2]!).first().waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return page;
}
