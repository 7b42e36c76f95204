import { randomUUID } from 'node:crypto';
import type { Tab } from './tab.ts';

/** An email address that no other journey uses. */
export const freshEmail = (name: string): string =>
  `${name.toLowerCase()}.${randomUUID().slice(0, 8)}@example.com`;

/** Enters an access code at the gate. */
export async function passGate(tab: Tab, code: string): Promise<void> {
  await tab.goto('/access-code');
  await tab.type('Access code', code);
  await tab.tap({ role: 'button', name: 'Continue' });
  await tab.at('/welcome');
}

/** Signs in with the simulated account picker, from the welcome screen. */
export async function signIn(tab: Tab, email: string): Promise<void> {
  await tab.tap({ role: 'button', name: 'Get Started with Google' });
  await tab.type('Use another email address', email);
  await tab.tap({ role: 'button', name: 'Continue' });
}

/** Completes the setup after the first sign-in, without sharing the location. */
export async function setUp(tab: Tab, { name, dog }: { name: string; dog: string }): Promise<void> {
  const next = { role: 'button', name: 'Continue' } as const;
  await tab.at('/onboarding');
  await tab.type('Display name', name);
  await tab.tap(next);
  await tab.type('Dog name', dog);
  await tab.tap({ role: 'radio', name: 'Friendly' });
  await tab.tap(next);
  await tab.tap({ role: 'button', name: 'Complete Setup' });
  await tab.at('/home');
}
