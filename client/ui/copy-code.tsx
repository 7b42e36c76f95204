import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

/** How long 'Copied!' is shown. */
const COPIED_MS = 2000;

/** Copies a code. */
export function CopyCode({ code }: { code: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  const isCopied = outcome === 'copied';

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setOutcome(null), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = () =>
    navigator.clipboard.writeText(code).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );

  return (
    <>
      <Button look="secondary" onClick={() => void copy()} Icon={isCopied ? Check : Copy}>
        {isCopied ? 'Copied!' : 'Copy'}
        <span className="sr-only"> {code}</span>
      </Button>
      <span role="status" className={outcome === 'failed' ? 'text-sm' : 'sr-only'}>
        {isCopied && 'Code copied'}
        {outcome === 'failed' && `Your browser won’t let us copy. The code is ${code}.`}
      </span>
    </>
  );
}
