import { TAKE_OVER } from './service-worker-messages.ts';
import { ValueStore } from '../store.ts';

const CHECK_EVERY_MS = 3_600_000;

let waiting: ServiceWorker | null = null;
let isAsked = false;
/** Whether a newer version waits for this page to be loaded again. */
export const updateReady = new ValueStore(false);

function announce(worker: ServiceWorker | null): void {
  waiting = worker;
  updateReady.set(true);
}

/**
 * Registers the service worker, which keeps the app on this device so that it opens without a network. Called
 * behind sign-in only and when the page is idle: a visitor of the landing page pays nothing for it.
 */
export function registerWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  const wasControlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (isAsked) location.reload();
    else if (wasControlled) announce(null);
  });
  whenIdle(() => {
    serviceWorker
      .register('/service-worker.js')
      .then(watch)
      .catch((error: unknown) => console.warn('Failed to cache the app on this device', error));
  });
}

function watch(registration: ServiceWorkerRegistration): void {
  const check = () => {
    if (registration.waiting && navigator.serviceWorker.controller) announce(registration.waiting);
  };
  check();
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', check);
  });
  setInterval(() => {
    if (navigator.onLine) void registration.update().catch(() => null);
  }, CHECK_EVERY_MS);
}

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 5_000 });
  else setTimeout(work, 1_000);
}

/** A newer version of the app is in use in another tab. */
export function announceNewer(): void {
  if (!updateReady.get()) announce(null);
}

/** Loads this page again, with the newer version. Only ever because a person said so. */
export function takeUpdate(): void {
  isAsked = true;
  if (waiting) waiting.postMessage(TAKE_OVER);
  else location.reload();
}
