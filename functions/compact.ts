/** Folds small segments into large ones. */
export async function handler(): Promise<void> {}
