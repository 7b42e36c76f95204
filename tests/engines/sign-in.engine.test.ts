import { describe, expect, onTestFinished, test } from 'vitest';
import { makeCode } from '../../scripts/session/api-session.ts';
import { engines } from './engines.ts';
import { openProduct } from './product.ts';
import { freshEmail, passGate, setUp, signIn } from './steps.ts';
import { Tab } from './tab.ts';

describe.each(engines)('in $name', (engine) => {
  // Cookies are others over http (decision 240).
  test.each(['http', 'https'] as const)(
    'signs in over %s, stays signed in after a reload, and signs out',
    async (scheme) => {
      const product = await openProduct(scheme);
      onTestFinished(() => product.close());
      const tab = new Tab(await engine.open(), product.origin);
      onTestFinished(() => tab.driver.close());

      await passGate(tab, await makeCode(product.origin, 1));
      await signIn(tab, freshEmail('sam'));
      await setUp(tab, { name: 'Sam', dog: 'Bella' });
      await tab.see({ role: 'heading', name: 'Welcome, Sam' });
      const status = () => tab.evaluate(async () => (await fetch('/api/users/me')).status);
      expect(await status()).toBe(200);
      // Scripts see that there is a session, and nothing of it.
      const cookie = scheme === 'https' ? '__Host-signed-in=1' : 'leashwise-signed-in=1';
      expect(await tab.evaluate(() => document.cookie)).toBe(cookie);

      await tab.reload();
      await tab.see({ role: 'heading', name: 'Welcome, Sam' });
      expect(await status()).toBe(200);

      await tab.goto('/settings#account');
      await tab.tap({ role: 'button', name: 'Logout' });
      await tab.at('/welcome');
      expect(await status()).toBe(401);
      // The device has passed the gate, and stays signed out.
      await tab.goto('/home');
      await tab.at('/welcome');
    },
  );
});
