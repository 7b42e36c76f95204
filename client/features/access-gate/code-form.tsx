import { useState, type FormEvent } from 'react';
import { validateCode } from '#shared/access-gate/contract.ts';
import { CODE_MAX, GATE_CODE_MAX } from '#shared/access-gate/rules.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import { typedCode } from '#shared/normalization/typed-code.ts';
import { CallError } from '../../platform/http/api-client.ts';
import { call } from '../../platform/http/api.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { PATTERNS, vibrate } from '../../platform/vibration.ts';

/**
 * Redeems an access code. The field takes 20 characters; a longer code can be pasted, or typed after a press.
 * @param given a code that came with an invitation
 */
export function CodeForm({
  given = '',
  onGranted,
}: {
  given?: string;
  onGranted: (code: string, expiresAt: string) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const code = typed ?? given;
  const [isLong, setLong] = useState(false);
  const [isChecking, setChecking] = useState(false);
  const [error, setError] = useState('');
  const [isRefused, setRefused] = useState(false);
  const isFull = !isLong && code.length >= GATE_CODE_MAX;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isChecking) return;
    const entered = typedCode(code);
    if (!entered) return setError('Please enter an access code');
    const field = event.currentTarget.elements.namedItem('code');
    setChecking(true);
    setError('');
    try {
      const { expires_at } = await call(validateCode, { body: { code: entered } });
      onGranted(entered, expires_at);
    } catch (refusal) {
      vibrate(PATTERNS.error);
      setRefused(refusal instanceof CallError && refusal.status === 400);
      if (field instanceof HTMLElement) field.focus();
      setError(
        refusal instanceof CallError && refusal.status !== 0
          ? messageOf(refusal)
          : 'Failed to verify access code. Please try again.',
      );
    }
    setChecking(false);
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field
        label="Access code"
        name="code"
        value={code}
        onChange={(event) => {
          setError('');
          setRefused(false);
          setTyped(event.target.value);
        }}
        onPaste={(event) => {
          const raw = event.clipboardData.getData('text');
          if (raw.length <= GATE_CODE_MAX) return;
          // The field would cut it, with its invisible characters counted.
          event.preventDefault();
          const pasted = typedCode(raw);
          setLong(pasted.length > GATE_CODE_MAX);
          setTyped(cutText(pasted, CODE_MAX));
        }}
        error={error}
        maxLength={isLong || given.length > GATE_CODE_MAX ? CODE_MAX : GATE_CODE_MAX}
        required
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        className="text-center text-xl font-bold tracking-[0.15em] uppercase"
      />
      {isRefused && (
        <p role="status">
          It may be mistyped, used up or expired. Check it against your invitation, ask whoever sent
          it for a new one, or donate below.
        </p>
      )}
      {isFull && given.length <= GATE_CODE_MAX && (
        <Button look="quiet" onClick={() => setLong(true)}>
          My code is longer
        </Button>
      )}
      <Button type="submit" wide pending={isChecking && 'Checking your code…'}>
        Continue
      </Button>
    </form>
  );
}
