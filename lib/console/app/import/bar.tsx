import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

interface BarProps {
  readonly label: string;
  readonly share: number | null; // 0 to 1; null if it is not known
}

/** A progress bar. */
export function ProgressBar({ label, share }: BarProps): JSX.Element {
  const id = useId();
  const percent = share === null ? undefined : Math.round(share * 100);
  return (
    <div class="bar-box">
      <p>
        <label for={id}>{label}</label>
        {percent !== undefined && <span class="quiet"> {percent} %</span>}
      </p>
      <progress id={id} {...(percent === undefined ? {} : { value: percent, max: 100 })} />
    </div>
  );
}
