import { Check, Copy } from 'lucide-react';
import { toast } from 'sonner';
import { IconButton } from './icon-button.tsx';
import { useCopy } from './use-copy.ts';

/** An icon that copies a code or an ID. */
export function CopyButton({ text }: { text: string }) {
  const { outcome, copy } = useCopy(text);
  return (
    <IconButton
      Icon={outcome === 'copied' ? Check : Copy}
      label={outcome === 'copied' ? `Copied ${text}` : `Copy ${text}`}
      onClick={() => void copy(() => toast(`Your browser won’t let us copy. The code is ${text}.`))}
    />
  );
}
