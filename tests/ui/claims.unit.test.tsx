import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// @vitest-environment jsdom
import { onlineManager } from '@tanstack/react-query';
import { act } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HazardsSection } from '../../client/features/hazards/hazards-section.tsx';
import { useHazards } from '../../client/features/hazards/use-hazards.ts';
import WarningModal from '../../client/features/moderation/warning-modal.tsx';
import PlannedWalksPage from '../../client/features/planned-walks/planned-walks-page.tsx';
import { queries } from '../../client/platform/http/query-client.ts';
import { DevicesCard } from '../../client/platform/session/devices-card.tsx';
import { renderScreen } from '../render-screen.tsx';

const AT = { latitude: 40, longitude: -75 };
const CLIENT = join(import.meta.dirname, '../../client');
/** A placeholder for code, which is on this device or fails. */
const LAZY = /=> <Skeleton [^>]*>/gu;
const NONE = 'No one has reported a hazard within 5 miles';

function Hazards() {
  return (
    <HazardsSection
      found={useHazards(AT)}
      around={AT}
      chosen={null}
      isOpen
      onToggle={() => {}}
      onReport={() => {}}
    />
  );
}

function goOffline() {
  act(() => onlineManager.setOnline(false));
  onTestFinished(() => onlineManager.setOnline(true));
}

test('offline, nobody is told that there are no hazards, unless the server said so, and how long ago', async () => {
  goOffline();
  const screen = await renderScreen(<Hazards />, {
    answers: { 'GET /api/hazards': { hazards: [] } },
  });
  expect(screen.text()).toContain('We can’t check for hazards while you’re offline.');
  expect(screen.text()).not.toContain(NONE);
  await act(async () => onlineManager.setOnline(true));
  await screen.pass(0);
  expect(screen.text()).toContain(`${NONE}.`);
  act(() => onlineManager.setOnline(false));
  await screen.pass(300_000);
  expect(screen.text()).toContain(`${NONE}, as of 5 minutes ago.`);
});

test('a failed check claims nothing about hazards', async () => {
  const screen = await renderScreen(<Hazards />);
  await screen.pass(60_000);
  expect(screen.text()).toContain('Failed to load hazards');
  expect(screen.text()).not.toContain(NONE);
});

test('a hazard whose time is rounded was reported recently, until it is older than that', async () => {
  const hazard = {
    id: 'glass',
    kind: 'glass',
    description: '',
    dog_name: null,
    contact: null,
    image_key: null,
    ...AT,
    reported_at: new Date(Date.now() - 360_000).toISOString(),
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    confirmed_count: 0,
    denied_count: 0,
    own_vote: null,
    is_own: true,
  };
  const screen = await renderScreen(<Hazards />, {
    answers: { 'GET /api/hazards': { hazards: [hazard] } },
  });
  expect(screen.text()).toContain('recently');
  expect(screen.text()).not.toContain('minutes ago');
  await screen.pass(360_000);
  expect(screen.text()).toContain('12 minutes ago');
});

test('no walk is planned only if the server said so', async () => {
  const screen = await renderScreen(<PlannedWalksPage />);
  expect(screen.text()).not.toContain('No walks planned');
  await act(async () => void queries.setQueryData(['planned-walks', ''], { planned_walks: [] }));
  await screen.pass(0);
  expect(screen.text()).toContain('No walks planned');
});

test('there are no decisions about somebody only if the server said so', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  const screen = await renderScreen(<WarningModal onClose={() => {}} />);
  expect(document.body.textContent).not.toContain('There are no decisions about you.');
  await act(async () => void queries.setQueryData(['warnings', ''], { warnings: [] }));
  await screen.pass(0);
  expect(document.body.textContent).toContain('There are no decisions about you.');
});

test('offline, what was never loaded says that it waits for a connection, and loads then', async () => {
  goOffline();
  const at = new Date().toISOString();
  const session = {
    id: 'one',
    device: 'Pixel',
    is_current: true,
    created_at: at,
    last_used_at: at,
  };
  const screen = await renderScreen(<DevicesCard />, {
    answers: { 'GET /api/sessions': { sessions: [session] } },
  });
  expect(screen.text()).toContain('This will load when you’re back online.');
  await act(async () => onlineManager.setOnline(true));
  await screen.pass(0);
  expect(screen.text()).toContain('Pixel');
});

test('each placeholder for an answer knows what becomes of it while one is offline', () => {
  const sources = readdirSync(CLIENT, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => [file, readFileSync(join(CLIENT, file), 'utf8')]);
  expect(sources.length).toBeGreaterThan(300);
  const unaware = sources.flatMap(([file = '', source = '']) =>
    /\buse(Cached|Infinite)?Query\(/u.test(source) &&
    /<Skeleton (?![^>]*\basked=)/u.test(source.replaceAll(LAZY, '')) &&
    !/isPaused|'paused'|networkMode: 'always'/u.test(source)
      ? [file]
      : [],
  );
  // Its placeholder is for walks on this device.
  expect(unaware).toEqual([join('features', 'walks', 'history', 'walk-page.tsx')]);
});
