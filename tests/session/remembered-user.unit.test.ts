// @vitest-environment jsdom
import { expect, onTestFinished, test } from 'vitest';
import type { CurrentUser } from '#shared/session/contract.ts';
import {
  onRememberedUserChange,
  rememberUser,
} from '../../client/platform/session/remembered-user.ts';

/** Shows the page, again as it was or for the first time. */
const show = (persisted: boolean) =>
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));

test('a page that is shown again as it was hears of a logout in another tab meanwhile', () => {
  const heard: (CurrentUser | null)[] = [];
  onTestFinished(onRememberedUserChange((user) => void heard.push(user)));
  show(false);
  expect(heard).toEqual([]);
  rememberUser(null);
  show(true);
  expect(heard).toEqual([null]);
});
