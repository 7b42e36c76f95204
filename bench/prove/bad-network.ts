import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { createDog, listDogs } from '#shared/dogs/contract.ts';
import { DOGS_MAX } from '#shared/dogs/rules.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { signInMember, type Visitor } from '../../scripts/session/api-session.ts';
import { CHROMIUM_FLAGS, findChromium } from '../../scripts/test/chromium.ts';
import { loginUrl } from '../../tests/browser.ts';
import { addDog, syncChip } from '../../tests/my-dogs.ts';
import { randomFrom } from '../simulation.ts';
import { Failures, type CheckSettings, type Outcome } from './check-settings.ts';
import { startThrottledProxy, type Network } from './throttled-proxy.ts';

/** Bad networks, by name. */
const NETWORKS: Record<string, Network> = {
  '30% loss': { loss: 0.3 },
  'a delay of 2 s': { delayMs: 1_000 },
  '2 kB/s': { bytesPerSecond: 2_000 },
  'resets every 3 s': { resetAfterMs: 3_000 },
  silence: { isSilent: true },
  'loss, delay and resets': { loss: 0.3, delayMs: 500, resetAfterMs: 10_000 },
};
const BAD_MS = 12_000;
/** After the network is good again, everything has to be saved within this time without a reload, on a busy machine. */
const RECOVERY_MS = 60_000;

/**
 * An owner in a browser adds dogs while the network is bad. Fails if the screen says “Saved” for a dog that the server doesn't have, if a dog
 * disappears, or if not all is saved soon after the network is good again, without a reload.
 */
export async function useBadNetworks({
  origin,
  budgetMs,
  seed,
  interrupted,
}: CheckSettings): Promise<Outcome> {
  const failures = new Failures();
  const { hostname, port } = new URL(origin);
  const proxy = await startThrottledProxy(Number(port), randomFrom(seed).uniform);
  const browser = await chromium.launch({
    executablePath: findChromium(process.env),
    args: [
      ...CHROMIUM_FLAGS,
      `--host-resolver-rules=MAP ${hostname}:${port} 127.0.0.1:${proxy.port}`,
    ],
  });
  const end = performance.now() + budgetMs;
  let added = 0;
  let rounds = 0;
  try {
    for (; performance.now() < end && !interrupted.aborted; rounds++) {
      const [name, network] = Object.entries(NETWORKS)[rounds % Object.keys(NETWORKS).length]!;
      proxy.set({});
      const context = await browser.newContext({ baseURL: origin, locale: 'en-US' });
      const { owner, page } = await open(context, origin);
      proxy.set(network);
      const names: string[] = [];
      const badUntil = performance.now() + BAD_MS;
      while (performance.now() < badUntil && names.length < DOGS_MAX - 2) {
        const dog = `Dog ${names.length}`;
        await addDog(page, { name: dog, sound_type: 'leash_on' });
        names.push(dog);
        await expectTruth(page, owner, names, (kind) => failures.add(`${name}: ${kind}`, dog));
        await page.waitForTimeout(1_000);
      }
      proxy.set({});
      const isSaved = await syncChip(page)
        .filter({ hasText: /^Saved$/ })
        .waitFor({ timeout: RECOVERY_MS })
        .then(
          () => true,
          () => false,
        );
      if (!isSaved)
        failures.add(
          `${name}: not saved after the network is good again`,
          await syncChip(page).innerText(),
        );
      const stored = await storedDogs(owner);
      for (const dog of names)
        if (!stored.includes(dog)) failures.add(`${name}: a dog is lost`, dog);
      if (stored.length !== names.length + 1)
        failures.add(
          `${name}: ${stored.length} dogs instead of ${names.length + 1}`,
          stored.join(),
        );
      added += names.length;
      await context.close();
    }
  } finally {
    await browser.close();
    proxy.close();
  }
  return {
    tried: `${added} dogs added in ${rounds} rounds of ${Object.keys(NETWORKS).length} bad networks`,
    failures: failures.list,
  };
}

async function open(
  context: BrowserContext,
  origin: string,
): Promise<{ owner: Visitor; page: Page }> {
  const owner = await signInMember(origin, `robin.${crypto.randomUUID()}@example.com`);
  await owner.call(saveProfile, {
    body: { display_name: 'Robin', is_location_sharing_enabled: false },
  });
  await owner.call(createDog, { body: { name: 'Bella', sound_type: 'leash_off' } });
  const page = await context.newPage();
  await page.goto(await loginUrl(context, origin, owner.user.email));
  await page.waitForURL('**/home');
  await syncChip(page)
    .filter({ hasText: /^Saved$/ })
    .waitFor({ timeout: RECOVERY_MS });
  return { owner, page };
}

/** Checks that all dogs are shown, and that “Saved” means that the server has them. */
async function expectTruth(
  page: Page,
  owner: Visitor,
  names: readonly string[],
  fail: (kind: string) => void,
): Promise<void> {
  const text = await page.locator('body').innerText();
  for (const name of names) if (!text.includes(name)) fail('a dog disappeared from the screen');
  if ((await syncChip(page).innerText()).trim() !== 'Saved') return;
  const stored = await storedDogs(owner);
  for (const name of names)
    if (!stored.includes(name)) fail('Saved is shown, but the server lacks a dog');
}

/** Asks the server on a good network. */
const storedDogs = async ({ call }: Visitor): Promise<string[]> =>
  (await call(listDogs)).dogs.map(({ name }) => name);
