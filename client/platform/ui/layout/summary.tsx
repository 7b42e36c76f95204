import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

/** Where the chevron is: right after the text, before it, or at the end of the line. */
const CHEVRONS = {
  after: { line: 'gap-1', icon: 'size-4' },
  before: { line: 'flex-row-reverse justify-end gap-1.5', icon: 'size-5' },
  end: { line: 'justify-between gap-3', icon: 'size-5 text-soft' },
};

/** The line that opens a `<details>`, with a chevron instead of the browser's own mark. */
export function Summary({
  chevron = 'after',
  className = chevron === 'end' ? 'font-bold' : 'font-bold text-accent',
  children,
}: {
  chevron?: keyof typeof CHEVRONS;
  className?: string;
  children: ReactNode;
}) {
  const { line, icon } = CHEVRONS[chevron];
  return (
    <summary
      className={`flex min-h-11 cursor-pointer list-none items-center [&::-webkit-details-marker]:hidden ${line} ${className}`}
    >
      {children}
      <ChevronDown
        aria-hidden
        className={`shrink-0 transition-transform motion-reduce:transition-none [details[open]>summary>&]:rotate-180 ${icon}`}
      />
    </summary>
  );
}
