// gst-cca: the live page's theme, set before anything is painted: what was chosen here, else the system's
// SPDX-License-Identifier: LGPL-2.1-or-later
{
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    document.documentElement.dataset.theme = localStorage.getItem('theme') || (system.matches ? 'dark' : 'light');
    window.dispatchEvent(new Event('theme'));
  };
  system.addEventListener('change', apply);
  window.addEventListener('storage', apply);
  window.switchTheme = () => {
    localStorage.setItem('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    apply();
  };
  apply();
}
