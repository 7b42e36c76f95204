import { useEffect, useState } from 'react';
import { TAKEN } from '#shared/moderation/admin-contract.ts';
import { LEASE_MINUTES } from '#shared/moderation/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { messageOf } from '../../../platform/http/error-message.ts';

type Ask = (id: string) => Promise<unknown>;

/** How often it is renewed while somebody works on it. */
const RENEW_MS = MINUTE_MS;
const IDLE_MS = (LEASE_MINUTES - 1) * MINUTE_MS;

/**
 * Takes a report or an appeal while it is open, so that nobody else decides it, and gives it back after that. It isn’t renewed for
 * somebody who has left their desk.
 * @param take must be constant, as `release`
 * @returns why it can’t be decided: who works on it; null if it can
 */
export function useLease(id: string | null, take: Ask, release: Ask): string | null {
  const [refusal, setRefusal] = useState<{ id: string; why: string } | null>(null);
  useEffect(() => {
    if (id === null) return;
    const of = id;
    let isOpen = true;
    let usedAt = Date.now();
    const use = () => {
      usedAt = Date.now();
    };
    async function renew() {
      try {
        await take(of);
        if (isOpen) setRefusal(null);
      } catch (error) {
        // Without an answer, or for what was decided meanwhile, the decision itself says so.
        const isRefused = error instanceof CallError && error.status === 409;
        if (isOpen && isRefused) setRefusal({ id: of, why: messageOf(error) });
        if (isRefused && error.code !== TAKEN) clearInterval(timer);
      }
    }
    const timer = setInterval(() => {
      if (Date.now() - usedAt < IDLE_MS) void renew();
    }, RENEW_MS);
    void renew();
    window.addEventListener('pointerdown', use);
    window.addEventListener('keydown', use);
    return () => {
      isOpen = false;
      clearInterval(timer);
      window.removeEventListener('pointerdown', use);
      window.removeEventListener('keydown', use);
      // It ends by itself if this fails.
      release(of).catch(() => null);
    };
  }, [id, take, release]);
  return refusal?.id === id ? refusal.why : null;
}
