//go:build !static

package dualseal

// #cgo pkg-config: dualseal
import "C"
