import { ImagePlus } from 'lucide-react';
import { useId, type ReactNode } from 'react';

/** Chooses an image from the device. @param describedBy the ID of the error message */
export function ImageButton({
  describedBy,
  disabled = false,
  className = 'bg-surface px-4',
  onPick,
  children,
}: {
  describedBy?: string;
  disabled?: boolean;
  className?: string;
  onPick: (file: File) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={`inline-flex min-h-12 cursor-pointer items-center gap-2 rounded-control border border-line-strong font-bold hover:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${className}`}
    >
      <ImagePlus aria-hidden className="size-5 shrink-0" />
      {children}
      <input
        id={id}
        type="file"
        accept="image/*"
        className="sr-only"
        aria-describedby={describedBy}
        disabled={disabled}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onPick(file);
          // Allows choosing the same file again.
          event.target.value = '';
        }}
      />
    </label>
  );
}
