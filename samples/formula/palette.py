"""Colours, sRGB from 0 to 1, by material or duty."""

from samples.products import Colour

FRAME: Colour = (0.17, 0.19, 0.22)
HOOP: Colour = (0.10, 0.11, 0.13)
STEEL: Colour = (0.55, 0.57, 0.60)
ALUMINIUM: Colour = (0.78, 0.79, 0.80)
ANODISED: Colour = (0.13, 0.34, 0.62)
RUBBER: Colour = (0.09, 0.09, 0.09)
CARBON: Colour = (0.20, 0.20, 0.21)
LIVERY: Colour = (0.80, 0.12, 0.12)
SPRING: Colour = (0.90, 0.72, 0.10)
FOAM: Colour = (0.36, 0.37, 0.40)
HIGH_VOLTAGE: Colour = (0.95, 0.50, 0.08)
CELLS: Colour = (0.30, 0.58, 0.34)
HONEYCOMB: Colour = (0.78, 0.66, 0.42)
CHAIN: Colour = (0.42, 0.36, 0.25)
LAMP: Colour = (0.85, 0.05, 0.05)
PANEL: Colour = (0.62, 0.64, 0.67)
