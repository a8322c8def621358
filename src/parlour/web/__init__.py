"""The games in a browser: routes, the page, and what stands behind them."""
